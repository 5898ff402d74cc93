// Through helpers of the file.
// RUN: %check %s async-blocking-call-in-coroutine --suffix FIVE
// RUN: %check %s async-blocking-call-in-coroutine --suffix ONE --option async-blocking-call-in-coroutine.MaxChain=1
#include "blocking/loop.h"
#include <functional>
#include <string>
#include <unistd.h>

std::string read_all(int fd) {
  char buffer[10];
  ::read(fd, buffer, sizeof buffer);
  return buffer;
}
std::string load_config(int fd) { return read_all(fd) + "\n"; }

own::task<std::string> configure(int fd) {
  std::string text = load_config(fd);
  // CHECK-MESSAGES-FIVE: :[[@LINE-1]]:22: warning: 'load_config' ends up in '::read', which blocks the event loop's thread until the file system is done; use an awaitable file API, or a thread pool [async-blocking-call-in-coroutine]
  // CHECK-MESSAGES-FIVE: :[[@LINE-5]]:42: note: 'load_config' calls 'read_all'
  // CHECK-MESSAGES-FIVE: :[[@LINE-9]]:3: note: 'read_all' calls '::read', which blocks
  // CHECK-MESSAGES-FIVE: :[[@LINE+3]]:3: note: 'configure' is a coroutine because of this 'co_await'
  read_all(fd);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'read_all' ends up in '::read'
  co_await own::io();
  co_return text;
}

// Cycles end, and the way out of them is found.
int odd(int n);
int even(int n) {
  if (n == 0)
    ::sleep(1);
  return odd(n - 1);
}
int odd(int n) { return even(n - 1); }
int spin(int n) { return n ? spin(n - 1) : 0; }

own::task<int> counts() {
  int n = spin(3);
  n += odd(3);
  // CHECK-MESSAGES-FIVE: :[[@LINE-1]]:8: warning: 'odd' ends up in '::sleep'
  n += even(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'even' ends up in '::sleep'
  co_return n;
}

// Seven functions deep is more than anybody can follow.
int d1() { return ::sleep(1); }
int d2() { return d1(); }
int d3() { return d2(); }
int d4() { return d3(); }
int d5() { return d4(); }
int d6() { return d5(); }
own::task<int> deep() {
  // CHECK-MESSAGES-FIVE: :[[@LINE+1]]:11: warning: 'd5' ends up in '::sleep'
  int n = d5();
  co_return d6() + n;
}

// Only what is known to be called is followed.
struct shape {
  virtual void draw() { ::sleep(1); }
  void fill() { ::sleep(1); }
};
struct square final : shape {
  void draw() override { ::sleep(2); }
};
own::task<> draws(shape &any, square &known, std::function<void()> call) {
  any.draw();
  call();
  any.fill();
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'shape::fill' ends up in '::sleep'
  known.draw();
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'square::draw' ends up in '::sleep'
  any.shape::draw();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'shape::draw' ends up in '::sleep'
  co_await own::io();
}

// A coroutine that is only called has not run; its own body is reported.
own::task<> lazily() {
  ::sleep(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_return;
}
own::task<> awaits() { co_await lazily(); }

// Branches that are not compiled, operands that are not evaluated.
constexpr bool Tracing = false;
void trace() {
  if constexpr (Tracing)
    ::sleep(1);
  static_assert(noexcept(::sleep(1)) || sizeof(::sleep(1)) > 0);
}
own::task<decltype(::sleep(1))> traces() {
  trace();
  co_return sizeof(::sleep(2));
}

// Functions that promise something.
[[clang::annotate("async-tidy:nonblocking")]] void quick() { ::sleep(1); }
[[clang::annotate("async-tidy:blocking")]] void slow();
struct tank {
  [[clang::annotate("async-tidy:blocking")]] int fill();
};
own::task<int> promises(tank &t) {
  quick();
  slow();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'slow' blocks the event loop's thread until another thread acts
  // CHECK-MESSAGES: :[[@LINE+1]]:15: warning: 'tank::fill' blocks
  co_return t.fill();
}

// A function that is no coroutine may do what it wants.
int main() { return load_config(0).size() + d6(); }
