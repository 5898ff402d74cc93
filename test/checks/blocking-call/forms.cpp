// Macros, templates, NOLINT, one finding for one fault.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <future>
#include <string>
#include <thread>
#include <unistd.h>
using namespace std::chrono_literals;

#define PAUSE(n) ::sleep(n)
#define LOG_AND(x)                                                             \
  do {                                                                         \
    x;                                                                         \
  } while (0)

own::task<> macros() {
  PAUSE(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  LOG_AND(::sleep(2));
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: '::sleep' blocks
  co_await own::io();
}

// Three instances, one finding; a pattern without instances has none.
template <class T> own::task<T> instances(T t) {
  ::sleep(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_await own::io();
  co_return t;
}
template <class T> own::task<T> unused(T t) {
  ::sleep(1);
  co_return t;
}
template <class T> struct box {
  own::task<> empty() {
    T::drain();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'water::drain' ends up in '::sleep'
    co_await own::io();
  }
};
struct water {
  static void drain() { ::sleep(1); }
};
struct air {
  static void drain() {}
};
own::task<> instantiates(box<water> w, box<air> a) {
  co_await instances(1);
  co_await instances('c');
  co_await instances(1.0);
  co_await w.empty();
  co_await a.empty();
}

own::task<> silenced() {
  ::sleep(1); // NOLINT(async-blocking-call-in-coroutine)
  // NOLINTNEXTLINE(async-*)
  ::sleep(2);
  ::sleep(3); // NOLINT(async-swallowed-cancellation)
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_await own::io();
}

// One statement, one finding.
int both();
own::task<int> once(std::future<int> a, std::future<int> b) {
  // CHECK-MESSAGES: :[[@LINE+1]]:13: warning: 'std::future::get' blocks
  int n = a.get() + b.get();
  co_return n;
}

// Conditions, switches, default arguments.
unsigned nap(unsigned n = ::sleep(1)) { return n; }
own::task<> everywhere(int kind) {
  if (::sleep(1))
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: '::sleep' blocks
    co_await own::io();
  switch (kind) {
  case 1:
    ::sleep(2);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    break;
  }
  try {
    co_await own::io();
  } catch (...) {
    ::sleep(3);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    throw;
  }
}
