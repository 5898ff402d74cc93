// RUN: %check %s async-timeout-confused-with-cancellation

// A cancelled coroutine's next await fails again, and its callers' as well.

#include "cancellation/asio.h"

using asio::ip::tcp;
using namespace std::chrono_literals;

asio::awaitable<int> readOrZero(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::cancel_after(1s, asio::use_awaitable));
  } catch (const std::exception &) {
    co_return 0;
  }
}
asio::awaitable<int> forwards(tcp::socket &s) {
  co_return co_await readOrZero(s);
}
asio::awaitable<> session(tcp::socket &s) {
  for (;;) {
    co_await forwards(s);
    co_await s.async_write_some(asio::use_awaitable);
  }
}

asio::awaitable<int> lastAwait(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::cancel_after(1s, asio::use_awaitable));
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' takes every cancellation for the timeout
    co_return 0;
  }
}
asio::awaitable<> once(tcp::socket &s) {
  co_await s.async_write_some(asio::use_awaitable);
  co_await lastAwait(s);
}
