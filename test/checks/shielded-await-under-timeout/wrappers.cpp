// RUN: %check %s async-shielded-await-under-timeout

// The shield or the timeout stands in another function.

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::co_withCancellation;
using folly::coro::timeout;

folly::coro::Task<int> charge(int cents);

template <class T> folly::coro::Task<T> shielded(folly::coro::Task<T> work) {
  co_return co_await co_withCancellation({}, std::move(work));
}
folly::coro::Task<int> wrapper() {
  co_return co_await timeout(shielded(charge(1)), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s cannot end the wait before the work ends: 'shielded' keeps its cancellation away
  // CHECK-MESSAGES: :[[@LINE-5]]:22: note: the shield is here
}

template <class T>
folly::coro::Task<T> limited(folly::coro::Task<T> work,
                             std::chrono::milliseconds limit) {
  return timeout(std::move(work), limit);
}
folly::coro::Task<int> timeoutWrapper() {
  co_return co_await limited(shielded(charge(1)), 700ms);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 700 ms cannot end the wait
}

folly::coro::Task<int> deep() { co_return co_await shielded(charge(2)); }
folly::coro::Task<int> middle() { co_return co_await deep() + 1; }
folly::coro::Task<int> chain() {
  co_return co_await timeout(middle(), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s
  // CHECK-MESSAGES: :[[@LINE-4]]:24: note: it runs 'middle'
  // CHECK-MESSAGES: :[[@LINE-6]]:24: note: it runs 'deep'
}

folly::coro::Task<int> lambda() {
  co_return co_await timeout(
      // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s
      // CHECK-MESSAGES: :[[@LINE+1]]:7: note: it runs this lambda
      []() -> folly::coro::Task<int> {
        co_return co_await co_withCancellation({}, charge(3));
      }(),
      1s);
}

// A function that only passes the limited work on.
folly::coro::Task<int> returned() {
  return timeout(shielded(charge(1)), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this timeout of 1 s
}
