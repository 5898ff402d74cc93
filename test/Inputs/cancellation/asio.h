// Cancellation by an error code, thrown inside system_error or given as a value.
#pragma once
#include "task.h"
#include <chrono>
#include <system_error>
#include <tuple>

namespace asio {
using error_code = std::error_code;
using system_error = std::system_error;
namespace error {
enum basic_errors { operation_aborted = 125, eof = 2 };
bool operator==(const error_code &, basic_errors);
} // namespace error

struct executor {};
struct use_awaitable_t {};
inline constexpr use_awaitable_t use_awaitable{};
struct detached_t {};
inline constexpr detached_t detached{};
struct as_tuple_t {};
inline constexpr as_tuple_t as_tuple{};
struct redirect_error_t {
  redirect_error_t(use_awaitable_t, error_code &);
};
redirect_error_t redirect_error(use_awaitable_t, error_code &);

enum class cancellation_type : unsigned {
  none = 0,
  terminal = 1,
  partial = 2,
  total = 4,
  all = 0xffffffff
};
cancellation_type operator|(cancellation_type, cancellation_type);
template <cancellation_type Mask> struct cancellation_filter {
  cancellation_type operator()(cancellation_type) const;
};
using disable_cancellation = cancellation_filter<cancellation_type::none>;
using enable_terminal_cancellation =
    cancellation_filter<cancellation_type::terminal>;
using enable_partial_cancellation =
    cancellation_filter<cancellation_type(3)>;
using enable_total_cancellation = cancellation_filter<cancellation_type(7)>;
struct cancellation_slot {};
struct cancellation_signal {
  void emit(cancellation_type);
  cancellation_slot slot();
};
struct cancellation_state {
  cancellation_type cancelled() const;
};
namespace this_coro {
struct cancellation_state_t {};
inline constexpr cancellation_state_t cancellation_state{};
struct executor_t {};
inline constexpr executor_t executor{};
struct reset_t {};
reset_t reset_cancellation_state();
template <class Filter> reset_t reset_cancellation_state(Filter) {
  return {};
}
template <class In, class Out> reset_t reset_cancellation_state(In, Out);
struct throw_if_t {};
throw_if_t throw_if_cancelled(bool);
} // namespace this_coro

template <class T = void> struct awaitable {
  struct promise_type : mock::promise<awaitable, T> {
    mock::awaiter<asio::cancellation_state>
    await_transform(this_coro::cancellation_state_t);
    mock::awaiter<asio::executor> await_transform(this_coro::executor_t);
    mock::awaiter<void> await_transform(this_coro::reset_t);
    mock::awaiter<void> await_transform(this_coro::throw_if_t);
    template <class A> A &&await_transform(A &&);
  };
  awaitable(awaitable &&);
  mock::awaiter<T> operator co_await();
};

template <class T> void co_spawn(executor, awaitable<T>, detached_t);
template <class F>
  requires requires(F f) { f(); }
void co_spawn(executor, F, detached_t) {}

// A completion token with a time limit, or bound to a signal.
template <class Token> struct limited {};
template <class Rep, class Period, class Token>
limited<Token> cancel_after(std::chrono::duration<Rep, Period>, Token);
template <class Rep, class Period, class Token>
limited<Token> cancel_after(std::chrono::duration<Rep, Period>,
                            cancellation_type, Token);
template <class Token> struct bound {};
template <class Token>
bound<Token> bind_cancellation_slot(cancellation_slot, Token);
template <class T, template <class> class Kind>
awaitable<T> co_spawn(executor, awaitable<T>, Kind<use_awaitable_t>);
template <class F, template <class> class Kind>
  requires requires(F f) { f(); }
awaitable<> co_spawn(executor, F f, Kind<use_awaitable_t>) {
  return f();
}
template <class T, template <class> class Kind>
void co_spawn(executor, awaitable<T>, Kind<detached_t>);

struct steady_timer {
  void cancel();
  explicit steady_timer(executor);
  void expires_after(std::chrono::nanoseconds);
  awaitable<> async_wait(use_awaitable_t);
  awaitable<> async_wait(limited<use_awaitable_t>);
  awaitable<> async_wait(bound<use_awaitable_t>);
  template <class F>
    requires requires(F f) { f(error_code()); }
  void async_wait(F) {}
  awaitable<std::tuple<error_code>> async_wait(as_tuple_t);
};
namespace ip {
struct tcp {
  struct socket {
    awaitable<int> async_read_some(use_awaitable_t);
    awaitable<std::tuple<error_code, int>> async_read_some(as_tuple_t);
    awaitable<int> async_read_some(redirect_error_t);
    awaitable<int> async_read_some(limited<use_awaitable_t>);
    awaitable<std::tuple<error_code, int>> async_read_some(limited<as_tuple_t>);
    awaitable<int> async_write_some(use_awaitable_t);
    awaitable<std::tuple<error_code>> async_shutdown(as_tuple_t);
    void close();
  };
};
} // namespace ip
} // namespace asio
