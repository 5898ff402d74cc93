// Cancellation by an error code, thrown inside system_error or given as a value.
#pragma once
#include "task.h"
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

enum class cancellation_type { none, terminal };
struct cancellation_state {
  cancellation_type cancelled() const;
};
namespace this_coro {
struct cancellation_state_t {};
inline constexpr cancellation_state_t cancellation_state{};
} // namespace this_coro

template <class T = void> struct awaitable {
  struct promise_type : mock::promise<awaitable, T> {
    mock::awaiter<asio::cancellation_state>
    await_transform(this_coro::cancellation_state_t);
    template <class A> A &&await_transform(A &&);
  };
  awaitable(awaitable &&);
  mock::awaiter<T> operator co_await();
};

template <class T> void co_spawn(executor, awaitable<T>, detached_t);
template <class F>
  requires requires(F f) { f(); }
void co_spawn(executor, F, detached_t) {}

struct steady_timer {
  void cancel();
  awaitable<> async_wait(use_awaitable_t);
  awaitable<std::tuple<error_code>> async_wait(as_tuple_t);
};
namespace ip {
struct tcp {
  struct socket {
    awaitable<int> async_read_some(use_awaitable_t);
    awaitable<std::tuple<error_code, int>> async_read_some(as_tuple_t);
    awaitable<int> async_read_some(redirect_error_t);
    awaitable<std::tuple<error_code>> async_shutdown(as_tuple_t);
    void close();
  };
};
} // namespace ip
} // namespace asio
