// RUN: %check %s async-ignored-cancellation-result

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <cstdio>

using asio::ip::tcp;
folly::coro::Task<int> fetch();
void use(int);

asio::awaitable<int> neverRead(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at: after a cancellation the coroutine goes on as if it had succeeded [async-ignored-cancellation-result]
  use(n);
  co_return n;
}

asio::awaitable<int> onlyLogged(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is only logged: after a cancellation
  if (ec)
    std::printf("%s\n", ec.message().c_str());
  co_return n;
}

asio::awaitable<int> redirected(tcp::socket &s) {
  asio::error_code ec;
  int n = co_await s.async_read_some(asio::redirect_error(asio::use_awaitable, ec));
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: the error of this await is never looked at
  co_return n;
}

folly::coro::Task<> discarded() {
  co_await folly::coro::co_awaitTry(fetch());
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the error of this await is never looked at
  use(1);
}

seastar::future<int> ask(seastar::abort_source &as);
seastar::future<int> readyButUnread(seastar::abort_source &as) {
  auto f = co_await seastar::coroutine::as_future(ask(as));
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the error of this await is never looked at
  co_return 1;
}

template <class T> asio::awaitable<T> instantiated(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at
  co_return n;
}
template asio::awaitable<int> instantiated(tcp::socket &);
template asio::awaitable<long> instantiated(tcp::socket &);

#define READ(s) co_await (s).async_read_some(asio::as_tuple)
asio::awaitable<int> fromMacro(tcp::socket &s) {
  auto [ec, n] = READ(s);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at
  co_return n;
}

auto lambda = [](tcp::socket &s) -> asio::awaitable<int> {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at
  co_return n;
};

//===--- What must stay silent --------------------------------------------===//

asio::awaitable<int> tested(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  if (ec)
    co_return -1;
  co_return n;
}

asio::awaitable<int> success(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  if (!ec)
    use(n);
  co_return 0;
}

asio::awaitable<std::error_code> returned(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  co_return ec;
}

asio::awaitable<std::tuple<std::error_code, int>> asIs(tcp::socket &s) {
  co_return co_await s.async_read_some(asio::as_tuple);
}

// Best effort: the peer may be gone.
asio::awaitable<> shutsDown(tcp::socket &s) {
  auto [ec] = co_await s.async_shutdown(asio::as_tuple);
}

// A cancelled timer is a usual way to wake somebody.
asio::awaitable<> waits(asio::steady_timer &t) {
  auto [ec] = co_await t.async_wait(asio::as_tuple);
  use(1);
}

// Said explicitly.
folly::coro::Task<> onPurpose() {
  (void)co_await folly::coro::co_awaitTry(fetch());
  use(1);
}

folly::coro::Task<int> reraised() {
  auto r = co_await folly::coro::co_awaitTry(fetch());
  co_await folly::coro::co_safe_point;
  co_return 0;
}

folly::coro::Task<int> valueThrows() {
  auto r = co_await folly::coro::co_awaitTry(fetch());
  co_return r.value();
}

seastar::future<int> handedOn(seastar::abort_source &as) {
  auto f = co_await seastar::coroutine::as_future(ask(as));
  if (f.failed())
    co_await seastar::coroutine::return_exception_ptr(f.get_exception());
  co_return f.get();
}

asio::awaitable<int> silenced(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple); // NOLINT(async-ignored-cancellation-result)
  co_return n;
}
