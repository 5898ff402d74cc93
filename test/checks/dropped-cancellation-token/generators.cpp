// RUN: %check %s async-dropped-cancellation-token

#include "cancellation/task.h"

namespace folly {
struct CancellationToken {
  bool isCancellationRequested() const;
};
namespace coro {
template <class T> struct AsyncGenerator {
  struct promise_type {
    AsyncGenerator get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void unhandled_exception();
    void return_void();
    std::suspend_always yield_value(T);
  };
};
template <class T> struct Task {
  using promise_type = mock::promise<Task, T>;
  mock::awaiter<T> operator co_await();
};
struct co_current_cancellation_token_t {
  mock::awaiter<CancellationToken> operator co_await() const;
};
inline constexpr co_current_cancellation_token_t co_current_cancellation_token{};
} // namespace coro
} // namespace folly

using folly::coro::AsyncGenerator;
using folly::coro::co_current_cancellation_token;
using folly::coro::Task;

Task<int> next();

AsyncGenerator<int> stale() {
  auto token = co_await co_current_cancellation_token;
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: 'token' is out of date after the next 'co_yield': whoever asks for the next item may bring a token of their own; get it anew each time [async-dropped-cancellation-token]
  // CHECK-NOTES: :[[@LINE+1]]:11: note: used again here
  while (!token.isCancellationRequested())
    co_yield co_await next();
}

AsyncGenerator<int> anew() {
  for (;;) {
    auto token = co_await co_current_cancellation_token;
    if (token.isCancellationRequested())
      co_return;
    co_yield co_await next();
  }
}

// Between two items it stays what it is.
AsyncGenerator<int> withinOneItem() {
  auto token = co_await co_current_cancellation_token;
  int sum = 0;
  while (!token.isCancellationRequested() && sum < 10)
    sum += co_await next();
  co_yield sum;
}

// A task has one token all its life.
Task<int> task() {
  auto token = co_await co_current_cancellation_token;
  int sum = 0;
  while (!token.isCancellationRequested())
    sum += co_await next();
  co_return sum;
}
