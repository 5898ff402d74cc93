// RUN: %check %s async-timeout-confused-with-cancellation

// The timeout ends its work with the code of a cancellation.

#include "cancellation/asio.h"
#include <optional>

using namespace std::chrono_literals;
using asio::awaitable;
using asio::cancel_after;
using asio::system_error;
using asio::use_awaitable;
using asio::ip::tcp;
constexpr auto aborted = asio::error::operation_aborted;

struct timed_out_upstream {};
void log(const char *);
awaitable<> send(tcp::socket &);

awaitable<std::optional<int>> noAnswer(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(cancel_after(1s, use_awaitable));
    // CHECK-MESSAGES: :[[@LINE+2]]:5: warning: 'catch (const system_error &)' takes every cancellation for the timeout: one by the caller looks the same and is lost [async-timeout-confused-with-cancellation]
    // CHECK-MESSAGES: :[[@LINE-2]]:42: note: when time is up here, it looks like a cancellation
  } catch (const system_error &e) {
    if (e.code() != asio::error::operation_aborted)
      throw;
    log("timed out");
    co_return std::nullopt;
  }
}

awaitable<bool> byFlag(tcp::socket &s) {
  bool late = false;
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const system_error &)' takes every cancellation for the timeout
    if (e.code() != asio::error::operation_aborted)
      throw;
    late = true;
  }
  co_return !late;
}

awaitable<int> otherError(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const system_error &)' takes every cancellation for the timeout
    if (e.code() == asio::error::operation_aborted)
      throw timed_out_upstream();
    throw;
  }
}

awaitable<std::optional<int>> asValue(tcp::socket &s) {
  auto [ec, n] =
      co_await s.async_read_some(cancel_after(1s, asio::as_tuple));
  if (ec == asio::error::operation_aborted)
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this takes every cancellation for the timeout: one by the caller looks the same and is lost [async-timeout-confused-with-cancellation]
    // CHECK-MESSAGES: :[[@LINE-3]]:34: note: when time is up here, it looks like a cancellation
    co_return std::nullopt;
  if (ec)
    throw system_error(ec);
  co_return n;
}

// The limit is in a helper that lets its end out.
static awaitable<int> readSoon(tcp::socket &s) {
  co_return co_await s.async_read_some(cancel_after(1s, use_awaitable));
}

awaitable<int> throughHelper(tcp::socket &s) {
  try {
    co_return co_await readSoon(s);
  } catch (const system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const system_error &)' takes every cancellation for the timeout
    if (e.code() == asio::error::operation_aborted)
      co_return 0;
    throw;
  }
}

// Asks its own state.
awaitable<std::optional<int>> asksState(tcp::socket &s) {
  bool late = false;
  try {
    co_return co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &e) {
    if (e.code() != asio::error::operation_aborted)
      throw;
    late = true;
  }
  auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none)
    throw system_error(asio::error_code());
  co_return std::nullopt;
}

awaitable<std::optional<int>> asksStateOfValue(tcp::socket &s) {
  auto state = co_await asio::this_coro::cancellation_state;
  auto [ec, n] =
      co_await s.async_read_some(cancel_after(1s, asio::as_tuple));
  if (ec == asio::error::operation_aborted) {
    if (state.cancelled() != asio::cancellation_type::none)
      throw system_error(ec);
    co_return std::nullopt;
  }
  co_return n;
}

// Asks the clock.
awaitable<bool> asksClock(tcp::socket &s) {
  auto end = std::chrono::steady_clock::now() + 1s;
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &) {
    if (std::chrono::steady_clock::now() < end)
      throw;
    co_return false;
  }
  co_return true;
}

// A timer of its own says which it was.
awaitable<bool> asksTimer(tcp::socket &s, asio::steady_timer &t) {
  bool expired = false;
  t.async_wait([&](asio::error_code) {
    expired = true;
    s.close();
  });
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &) {
    if (!expired)
      throw;
    co_return false;
  }
  co_return true;
}

// The next await fails with the cancellation, if it was one.
awaitable<bool> comesAgain(tcp::socket &s) {
  bool late = false;
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &e) {
    if (e.code() != asio::error::operation_aborted)
      throw;
    late = true;
  }
  if (late) {
    co_await send(s);
    co_return false;
  }
  co_return true;
}

// The code itself is the answer.
awaitable<asio::error_code> passesCode(tcp::socket &s) {
  auto [ec, n] =
      co_await s.async_read_some(cancel_after(1s, asio::as_tuple));
  if (ec == asio::error::operation_aborted)
    log("timed out, or told to stop");
  co_return ec;
}

// Any failure is one: it does not say that this was the timeout.
awaitable<bool> worked(tcp::socket &s) {
  auto [ec, n] =
      co_await s.async_read_some(cancel_after(1s, asio::as_tuple));
  if (ec)
    co_return false;
  co_return true;
}

// Nobody can cancel what only detached roots await.
static awaitable<bool> ping(tcp::socket &s) {
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &) {
    co_return false;
  }
  co_return true;
}
static awaitable<> session(tcp::socket &s) {
  while (co_await ping(s))
    log("alive");
}
void start(asio::executor e, tcp::socket &s) {
  co_spawn(e, session(s), asio::detached);
}

// But who bound a signal to the root can.
static awaitable<bool> stoppablePing(tcp::socket &s) {
  try {
    co_await s.async_read_some(cancel_after(1s, use_awaitable));
  } catch (const system_error &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const system_error &)' takes every cancellation for the timeout
    co_return false;
  }
  co_return true;
}
static awaitable<> stoppable(tcp::socket &s) {
  while (co_await stoppablePing(s))
    log("alive");
}
void startStoppable(asio::executor e, tcp::socket &s,
                    asio::cancellation_signal &stop) {
  co_spawn(e, stoppable(s),
           bind_cancellation_slot(stop.slot(), asio::detached));
}

awaitable<int> suppressed(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(cancel_after(1s, use_awaitable));
    // NOLINTNEXTLINE(async-timeout-confused-with-cancellation)
  } catch (const system_error &) {
    co_return 0;
  }
}
