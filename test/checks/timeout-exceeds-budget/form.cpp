// RUN: %check %s async-timeout-exceeds-budget

// Templates, macros, lambdas, wrappers of one's own, NOLINT.

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> ask();

template <class T> folly::coro::Task<T> generic(T value) {
  co_await timeout(timeout(ask(), 5s), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: this limit of 5 s
  co_return value;
}
folly::coro::Task<int> a() { return generic(1); }
folly::coro::Task<long> b() { return generic(1L); }

template <int Seconds> folly::coro::Task<int> within() {
  co_return co_await timeout(ask(), std::chrono::seconds(Seconds));
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this limit of 7 s
}
folly::coro::Task<int> long_() { co_return co_await timeout(within<7>(), 5s); }
folly::coro::Task<int> short_() { co_return co_await timeout(within<3>(), 5s); }

#define LIMITED(work) timeout(work, 4s)
folly::coro::Task<int> fromAMacro() {
  co_return co_await timeout(LIMITED(ask()), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: this limit of 4 s
}

folly::coro::Task<int> inALambda() {
  auto attempt = [] { return timeout(ask(), 6s); };
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: this limit of 6 s
  co_return co_await timeout(attempt(), 5s);
}

template <class F> folly::coro::Task<int> limited(F work, std::chrono::seconds time) {
  co_return co_await timeout(work(), time);
}
folly::coro::Task<int> ownWrapper() {
  co_return co_await limited([] { return limited([] { return ask(); }, 9s); }, 3s);
  // CHECK-MESSAGES: :[[@LINE-1]]:42: warning: this limit of 9 s never runs out: the limit around it ends the wait after 3 s
}

folly::coro::Task<int> silenced() {
  // NOLINTNEXTLINE(async-timeout-exceeds-budget)
  co_return co_await timeout(timeout(ask(), 5s), 1s);
}
