// Cancellation by exception that flows to whatever is awaited.
#pragma once
#include "task.h"
#include <chrono>

namespace folly {
struct OperationCancelled final : std::exception {};
struct FutureTimeout : std::exception {};
struct exception_wrapper {
  exception_wrapper();
  explicit exception_wrapper(std::exception_ptr);
  template <class E> bool is_compatible_with() const;
  [[noreturn]] void throw_exception() const;
  explicit operator bool() const;
};
template <class T> struct Try {
  Try();
  explicit Try(exception_wrapper);
  bool hasValue() const;
  bool hasException() const;
  template <class E> bool hasException() const;
  exception_wrapper &exception();
  void emplaceException(exception_wrapper);
  T value();
};
template <> struct Try<void> {
  bool hasException() const;
  exception_wrapper &exception();
};
struct CancellationToken {
  bool isCancellationRequested() const;
};

namespace coro {
struct co_safe_point_t {};
inline constexpr co_safe_point_t co_safe_point{};
struct co_current_cancellation_token_t {};
inline constexpr co_current_cancellation_token_t co_current_cancellation_token{};
struct co_error {
  explicit co_error(exception_wrapper);
};
struct co_stopped_may_throw_t {};
inline constexpr co_stopped_may_throw_t co_stopped_may_throw{};
template <class T> struct co_result {
  explicit co_result(Try<T> &&);
};
// Ends the coroutine: nothing resumes it.
struct last_awaiter : std::suspend_always {
  [[noreturn]] void await_resume() noexcept;
};
template <class T = void> struct [[nodiscard]] Task {
  struct promise_type : mock::promise<Task, T> {
    mock::awaiter<void> await_transform(co_safe_point_t);
    mock::awaiter<CancellationToken>
    await_transform(co_current_cancellation_token_t);
    template <class A> A &&await_transform(A &&);
    last_awaiter yield_value(co_error);
    last_awaiter yield_value(co_stopped_may_throw_t);
    last_awaiter yield_value(co_result<T> &&);
  };
  Task(Task &&);
  mock::awaiter<T> operator co_await();
};
template <class T> mock::awaiter<Try<T>> co_awaitTry(Task<T>);
template <class T> T blockingWait(Task<T>);
template <class T> Task<T> timeout(Task<T>, std::chrono::nanoseconds);
template <class T> Task<T> timeoutNoDiscard(Task<T>, std::chrono::nanoseconds);
template <class T> Task<T> co_withCancellation(CancellationToken, Task<T>);
struct Mutex {
  Task<int> co_scoped_lock();
};
template <class T> Task<T> co_viaIfAsync(int, Task<T>);
} // namespace coro
} // namespace folly
