// Completion tokens with a limit, timers, races, cancellation state.
#pragma once
#include "../cancellation/task.h"
#include <chrono>
#include <tuple>
#include <variant>

namespace asio {
struct error_code {
  explicit operator bool() const;
};
struct system_error : std::exception {
  error_code code() const;
};
struct any_io_executor {};
struct thread_pool {
  struct basic_executor_type {
    operator any_io_executor() const;
  };
  basic_executor_type get_executor();
};
enum class cancellation_type { none, terminal };
template <cancellation_type> struct cancellation_filter {};
typedef cancellation_filter<cancellation_type::none> disable_cancellation;
typedef cancellation_filter<cancellation_type::terminal>
    enable_terminal_cancellation;
struct cancellation_slot {};
namespace this_coro {
struct executor_t {};
inline constexpr executor_t executor{};
struct reset_t {};
reset_t reset_cancellation_state();
template <class Filter> reset_t reset_cancellation_state(Filter);
} // namespace this_coro

template <class T = void> struct [[nodiscard]] awaitable {
  struct promise_type : mock::promise<awaitable, T> {
    mock::awaiter<any_io_executor> await_transform(this_coro::executor_t);
    mock::awaiter<void> await_transform(this_coro::reset_t);
    template <class A> A &&await_transform(A &&);
  };
  awaitable(awaitable &&);
  mock::awaiter<T> operator co_await();
};

struct use_awaitable_t {};
inline constexpr use_awaitable_t use_awaitable{};
struct detached_t {};
inline constexpr detached_t detached{};
template <class Token> struct as_tuple_t {};
template <class Token> as_tuple_t<Token> as_tuple(Token);
template <class Token> struct redirect_error_t {};
template <class Token> redirect_error_t<Token> redirect_error(Token, error_code &);
template <class Token> struct cancel_after_t {};
template <class Token>
cancel_after_t<Token> cancel_after(std::chrono::nanoseconds, Token);
template <class Token> struct slot_token {};
template <class Token>
slot_token<Token> bind_cancellation_slot(cancellation_slot, Token);

template <class Executor, class Token> struct bound_t {};
template <class Executor, class Token>
bound_t<Executor, Token> bind_executor(Executor, Token);
template <class Token, class T> struct result {
  using type = awaitable<T>;
};
template <class Inner, class T>
struct result<as_tuple_t<Inner>, T> {
  using type = awaitable<std::tuple<error_code, T>>;
};
template <class Inner, class T>
struct result<cancel_after_t<Inner>, T> : result<Inner, T> {};

struct basic_stream_socket {
  template <class Token>
  typename result<Token, std::size_t>::type async_read_some(char *, Token);
  void close();
};
using socket = basic_stream_socket;
template <class Executor, class T, class Token>
awaitable<T> co_spawn(Executor, awaitable<T>, Token);
template <class Token> awaitable<> post(Token);

template <class Clock> struct basic_waitable_timer {
  explicit basic_waitable_timer(any_io_executor);
  basic_waitable_timer(any_io_executor, typename Clock::duration);
  basic_waitable_timer(any_io_executor, typename Clock::time_point);
  void expires_after(typename Clock::duration);
  void expires_at(typename Clock::time_point);
  awaitable<> async_wait(use_awaitable_t);
  template <class F> void async_wait(F) {}
  void cancel();
};
using steady_timer = basic_waitable_timer<std::chrono::steady_clock>;

namespace experimental::awaitable_operators {
template <class T, class U>
awaitable<std::variant<T, U>> operator||(awaitable<T>, awaitable<U>);
template <class T>
awaitable<std::variant<T, std::monostate>> operator||(awaitable<T>,
                                                      awaitable<void>);
} // namespace experimental::awaitable_operators
} // namespace asio
