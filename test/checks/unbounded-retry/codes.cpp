// RUN: %check %s async-unbounded-retry

// Failures that come as error codes.

#include "cancellation/asio.h"

asio::awaitable<int> byCode(asio::ip::tcp::socket &s) {
  for (;;) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever and without a pause when 'async_read_some' fails
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (!ec)
      co_return n;
    if (ec == asio::error::operation_aborted)
      throw std::system_error(ec);
  }
}

// That cancellation is retried is said by async-retried-cancellation.
asio::awaitable<int> retriesCancellation(asio::ip::tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (!ec)
      co_return n;
  }
}

asio::awaitable<void> background(asio::ip::tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (!ec)
      co_return;
    if (ec == asio::error::operation_aborted)
      throw std::system_error(ec);
  }
}
void start(asio::executor ex, asio::ip::tcp::socket &s) {
  asio::co_spawn(ex, background(s), asio::detached);
}

