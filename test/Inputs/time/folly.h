// Timeouts that cancel and wait; a sleep; shields; a retry helper.
#pragma once
#include "../cancellation/task.h"
#include <chrono>
#include <optional>

namespace folly {
struct FutureTimeout : std::exception {};
struct CancellationToken {
  bool isCancellationRequested() const;
};
struct CancellationSource {
  CancellationToken getToken() const;
};
CancellationToken cancellation_token_merge(CancellationToken,
                                           CancellationToken);
struct Executor {};
struct CPUThreadPoolExecutor : Executor {};
template <class T> struct Try {
  bool hasValue() const;
  bool hasException() const;
  T value();
};
template <class T> struct SemiFuture {
  SemiFuture within(std::chrono::nanoseconds) &&;
  mock::awaiter<T> operator co_await();
};
template <class T> struct Future {
  SemiFuture<T> semi() &&;
};
template <class F> auto via(Executor *, F f) -> Future<decltype(f())> {
  throw f;
}

namespace coro {
struct co_current_cancellation_token_t {};
inline constexpr co_current_cancellation_token_t co_current_cancellation_token{};
template <class T> struct TaskWithExecutor {
  SemiFuture<T> start();
  mock::awaiter<T> operator co_await();
};
template <class T = void> struct [[nodiscard]] Task {
  struct promise_type : mock::promise<Task, T> {
    mock::awaiter<CancellationToken>
    await_transform(co_current_cancellation_token_t);
    template <class A> A &&await_transform(A &&);
  };
  Task(Task &&);
  Task &operator=(Task &&);
  TaskWithExecutor<T> scheduleOn(Executor *);
  mock::awaiter<T> operator co_await();
};
template <class T> Task<T> timeout(Task<T>, std::chrono::nanoseconds);
template <class T> Task<T> timeout(SemiFuture<T>, std::chrono::nanoseconds);
Task<> sleep(std::chrono::nanoseconds);
template <class... T> Task<int> collectAll(Task<T>...);
template <class... T> Task<int> collectAny(Task<T>...);
template <class T> mock::awaiter<Try<T>> co_awaitTry(Task<T>);
template <class T> Task<T> co_withCancellation(CancellationToken, Task<T>);
template <class T> Task<T> detachOnCancel(Task<T>);
template <class F>
auto retryN(unsigned, F f) -> decltype(std::declval<F>()()) {
  return f();
}
} // namespace coro
} // namespace folly
