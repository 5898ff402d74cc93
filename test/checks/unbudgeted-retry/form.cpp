// RUN: %check %s async-unbudgeted-retry

// Templates, macros, lambdas, NOLINT.

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> fetch();

// Two instances, one finding.
template <class T> folly::coro::Task<T> generic(T fallback) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 1 s each
    } catch (const folly::FutureTimeout &) {
    }
  }
  co_return fallback;
}
folly::coro::Task<int> a() { return generic(1); }
folly::coro::Task<long> b() { return generic(1L); }

// Never instantiated: nothing is known.
template <class T> folly::coro::Task<int> unused(T work) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await timeout(work(), 1s);
    } catch (...) {
    }
  }
  co_return 0;
}

#define ATTEMPT(work)                                                          \
  try {                                                                        \
    co_return co_await timeout(work, 1s);                                      \
  } catch (...) {                                                              \
  }

folly::coro::Task<int> fromAMacro() {
  for (int i = 0; i < 3; ++i) {
    ATTEMPT(fetch())
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 3 attempts of 1 s each can take 3 s
  }
  co_return 0;
}

folly::coro::Task<int> inALambda() {
  auto work = []() -> folly::coro::Task<int> {
    for (int i = 0; i < 3; ++i) {
      try {
        co_return co_await timeout(fetch(), 1s);
        // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 3 attempts of 1 s each
      } catch (...) {
      }
    }
    co_return 0;
  };
  co_return co_await work();
}

struct Client {
  folly::coro::Task<int> get() {
    for (int i = 0; i < 3; ++i) {
      try {
        // NOLINTNEXTLINE(async-unbudgeted-retry)
        co_return co_await timeout(fetch(), 1s);
      } catch (...) {
      }
    }
    co_return 0;
  }
};
