// RUN: %check %s async-unbounded-await

// Awaits that something ends.

#include "time/asio.h"
#include "time/flow.h"
#include "time/folly.h"
#include "time/seastar.h"
#include <stop_token>

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;
using Clock = std::chrono::steady_clock;

#define IO [[clang::annotate("async-tidy:external-io")]]
IO folly::coro::Task<int> query(int id);
IO folly::coro::Task<int> queryUntil(int id, Clock::time_point deadline);
IO folly::coro::Task<int> queryFor(int id, std::chrono::milliseconds limit);
IO folly::coro::Task<int> queryUnless(int id, std::stop_token stop);
IO asio::awaitable<int> fetch();
IO Future<int> reply(int server);
Future<Void> stopped();
folly::coro::Task<int> compute();

// A limit, a timer in the race, a completion token with a limit.
folly::coro::Task<int> limited() { co_return co_await timeout(query(1), 1s); }
folly::coro::Task<int> limitedVariable() {
  auto answer = timeout(query(1), 1s);
  co_return co_await std::move(answer);
}
asio::awaitable<bool> raced() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 1s);
  auto first = co_await (fetch() || timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}
Future<int> racedWithDelay(int server) {
  auto first = co_await race(reply(server), delay(5.0));
  co_return first;
}
asio::awaitable<std::size_t> token(asio::basic_stream_socket &s, char *to) {
  co_return co_await s.async_read_some(to, asio::cancel_after(5s, asio::use_awaitable));
}

// A deadline, a time or a token as an argument; the work that is told to stop.
folly::coro::Task<int> arguments(std::stop_token stop, Clock::time_point deadline) {
  int n = co_await queryUntil(1, deadline);
  n += co_await queryFor(1, 500ms);
  co_return n + co_await queryUnless(1, stop);
}
Future<int> orStopped(int server) {
  auto first = co_await race(reply(server), stopped());
  co_return first;
}
asio::awaitable<std::size_t> slot(asio::basic_stream_socket &s, char *to,
                                  asio::cancellation_slot slot) {
  co_return co_await s.async_read_some(
      to, asio::bind_cancellation_slot(slot, asio::use_awaitable));
}

// Every caller here has a limit.
static folly::coro::Task<int> inner() { co_return co_await query(1); }
static folly::coro::Task<int> middle() { co_return co_await inner(); }
folly::coro::Task<int> outer() { co_return co_await timeout(middle(), 1s); }

// A timer beside the coroutine; a stream that knows its limits.
asio::awaitable<std::size_t> watchdog(asio::basic_stream_socket &s, char *to) {
  asio::steady_timer timer(co_await asio::this_coro::executor, 5s);
  timer.async_wait([&](asio::error_code) { s.close(); });
  co_return co_await s.async_read_some(to, asio::use_awaitable);
}
struct tcp_stream {
  void expires_after(std::chrono::seconds);
  IO asio::awaitable<int> read();
};
asio::awaitable<int> knowsItsLimit(tcp_stream &s) {
  s.expires_after(30s);
  co_return co_await s.read();
}

// Whoever waits for the next client; what tidies up; no I/O.
struct acceptor {
  IO asio::awaitable<int> async_accept();
};
asio::awaitable<void> serve(acceptor &a) {
  for (;;)
    co_await a.async_accept();
}
folly::coro::Task<void> close() { co_await query(0); }
folly::coro::Task<int> noIo() { co_return co_await compute(); }
[[clang::annotate("async-tidy:budgeted")]] folly::coro::Task<int> budgeted() {
  co_return co_await query(1);
}
