// RUN: %check %s async-shielded-await-under-timeout

// Templates, macros, NOLINT, a limit on each of two levels.

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::co_withCancellation;
using folly::coro::timeout;

folly::coro::Task<int> charge(int cents);

template <class T> folly::coro::Task<T> generic(T value) {
  co_await timeout(co_withCancellation({}, charge(1)), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: this timeout of 1 s
  co_return value;
}
folly::coro::Task<int> a() { return generic(1); }
folly::coro::Task<long> b() { return generic(1L); }

#define UNDISTURBED(work) co_withCancellation({}, work)
folly::coro::Task<int> fromAMacro() {
  co_return co_await timeout(UNDISTURBED(charge(1)), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s
}

folly::coro::Task<int> silenced() {
  // NOLINTNEXTLINE(async-shielded-await-under-timeout)
  co_return co_await timeout(co_withCancellation({}, charge(1)), 1s);
}

// The inner timeout is the one that the shield defeats.
folly::coro::Task<int> twice() {
  co_return co_await timeout(
      timeout(co_withCancellation({}, charge(1)), 1s), 5s);
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this timeout of 1 s
}
