// RUN: %check %s async-swallowed-cancellation

// Tests of the code inside a general error.

#include "cancellation/asio.h"
#include <cstdio>
#include <functional>

using asio::ip::tcp;
asio::awaitable<int> reread(tcp::socket &s);

asio::awaitable<int> letsThrough(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    if (e.code() == asio::error::operation_aborted)
      throw;
    co_return 0;
  }
}

asio::awaitable<int> portableCode(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    if (e.code() != std::errc::operation_canceled)
      co_return 0;
    throw;
  }
}

asio::awaitable<int> branchWithoutThrow(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::system_error &)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: catch (const std::system_error &e) { if (e.code() == asio::error::operation_aborted) throw;
    if (e.code() == asio::error::operation_aborted)
      std::puts("stopped");
    co_return 0;
  }
}

// Only the end of the stream is answered; everything else goes on.
asio::awaitable<int> otherCode(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    if (e.code() == asio::error::eof)
      co_return 0;
    throw;
  }
}

asio::awaitable<int> otherCodeOnly(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::system_error &)' swallows cancellation: the caller gets '-1'
    // CHECK-FIXES: catch (const std::system_error &e) { if (e.code() == asio::error::operation_aborted) throw;
    if (e.code() == asio::error::eof)
      co_return 0;
    co_return -1;
  }
}

asio::awaitable<int> copied(tcp::socket &s) {
  std::error_code code;
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    code = e.code();
  }
  if (code == asio::error::operation_aborted)
    throw std::system_error(code);
  co_return co_await reread(s);
}

asio::awaitable<int> copiedAndForgotten(tcp::socket &s) {
  std::error_code code;
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::system_error &)' swallows cancellation
    code = e.code();
  }
  if (code == asio::error::eof)
    co_return 0;
  co_return co_await reread(s);
}

// The coroutine asks its own state, and so knows what it does.
asio::awaitable<int> asksItsState(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::exception &) {
  }
  auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none)
    co_return -1;
  co_return co_await reread(s);
}

// The code travels on in the other exception.
asio::awaitable<int> sameCodeAgain(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    throw std::system_error(e.code(), "while reading");
  }
}

asio::awaitable<std::error_code> codeAsResult(tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    co_return e.code();
  }
  co_return std::error_code();
}

// The coroutine's own timer cancels the work and says so.
void startTimer(std::function<void()> Fired);

asio::awaitable<int> ownTimer(tcp::socket &s) {
  bool fired = false;
  startTimer([&] {
    fired = true;
    s.close();
  });
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    if (e.code() == asio::error::operation_aborted && fired)
      co_return 0;
    throw;
  }
}

asio::awaitable<int> anotherFlag(tcp::socket &s, bool quiet) {
  startTimer([&] { s.close(); });
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::system_error &)' swallows cancellation
    if (e.code() == asio::error::operation_aborted && quiet)
      co_return 0;
    throw;
  }
}
