// RUN: %check %s async-uncancellable-work-under-timeout

// Templates, macros, lambdas, NOLINT; the inner of two limits.

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;
using folly::via;

int render(int id);

template <class T> folly::coro::Task<T> generic(folly::Executor *pool, T value) {
  co_await timeout(via(pool, [] { return render(1); }).semi(), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: this timeout of 1 s is late
  co_return value;
}
folly::coro::Task<int> a() { return generic(nullptr, 1); }
folly::coro::Task<long> b() { return generic(nullptr, 1L); }

#define IN_BACKGROUND(call) via(pool, [&] { return call; }).semi()
folly::coro::Task<int> fromAMacro(folly::Executor *pool) {
  co_return co_await timeout(IN_BACKGROUND(render(2)), 1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s is late
}

folly::coro::Task<int> inALambda(folly::Executor *pool) {
  auto attempt = [pool] { return timeout(via(pool, [] { return render(1); }).semi(), 1s); };
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: this timeout of 1 s is late
  co_return co_await attempt();
}

folly::coro::Task<int> twice(folly::Executor *pool) {
  co_return co_await timeout(
      timeout(via(pool, [] { return render(1); }).semi(), 1s), 5s);
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this timeout of 1 s is late
}

folly::coro::Task<int> silenced(folly::Executor *pool) {
  // NOLINTNEXTLINE(async-uncancellable-work-under-timeout)
  co_return co_await timeout(via(pool, [] { return render(1); }).semi(), 1s);
}
