// RUN: %check %s async-unshielded-cleanup

// A cancelled coroutine is cancelled in whatever it awaits.

#include "cancellation/asio.h"

using asio::awaitable;
using asio::system_error;
using asio::use_awaitable;
using asio::ip::tcp;
namespace this_coro = asio::this_coro;

awaitable<> undo(tcp::socket &);
awaitable<> say(const char *);
struct Link {
  awaitable<> close();
  awaitable<std::tuple<asio::error_code>> async_shutdown(asio::as_tuple_t);
};

awaitable<> onFailure(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the coroutine is still cancelled, so 'undo' is cancelled at once [async-unshielded-cleanup]
    // CHECK-MESSAGES: :[[@LINE-6]]:5: note: the cancellation is caught here
    // CHECK-FIXES: co_await asio::this_coro::reset_cancellation_state(); co_await undo(s);
    std::rethrow_exception(failed);
  }
}

awaitable<> onCancellation(tcp::socket &s) {
  asio::error_code ec;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (const system_error &e) {
    ec = e.code();
  }
  if (ec == asio::error::operation_aborted)
    co_await undo(s);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run
  if (ec)
    throw system_error(ec);
}

// What closes is meant for either way.
awaitable<> finally(tcp::socket &s, Link &link) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  co_await link.close();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this cleanup does not run: the coroutine is still cancelled, so 'close' is cancelled at once [async-unshielded-cleanup]
  // CHECK-FIXES: co_await asio::this_coro::reset_cancellation_state(); co_await link.close();
  if (failed)
    std::rethrow_exception(failed);
}

// Only a failure comes here.
awaitable<int> behindReturn(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_return co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  co_await undo(s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this cleanup does not run
  // CHECK-FIXES: co_await asio::this_coro::reset_cancellation_state(); co_await undo(s);
  std::rethrow_exception(failed);
}

awaitable<> ofValue(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  if (ec == asio::error::operation_aborted) {
    co_await say("goodbye");
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the coroutine is still cancelled, so 'say' is cancelled at once [async-unshielded-cleanup]
    // CHECK-MESSAGES: :[[@LINE-4]]:18: note: the cancellation comes as this result
    // CHECK-FIXES: co_await asio::this_coro::reset_cancellation_state(); co_await say("goodbye");
    throw system_error(ec);
  }
  if (ec)
    throw system_error(ec);
}

awaitable<> reset(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await this_coro::reset_cancellation_state();
    co_await undo(s);
    std::rethrow_exception(failed);
  }
}

awaitable<> detaches(asio::executor e, tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_spawn(e, undo(s), asio::detached);
    s.close();
    std::rethrow_exception(failed);
  }
}

// Runs only if it was something else.
awaitable<> notWhenCancelled(tcp::socket &s) {
  asio::error_code ec;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (const system_error &e) {
    ec = e.code();
  }
  if (ec == asio::error::operation_aborted)
    throw system_error(ec);
  if (ec) {
    co_await undo(s);
    throw system_error(ec);
  }
}

// The work that follows is no cleanup: that it fails is right.
awaitable<> goesOn(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  co_await say("next");
  if (failed)
    std::rethrow_exception(failed);
}

// Its result is looked at.
awaitable<> politely(tcp::socket &s, Link &link) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    auto [ec] = co_await link.async_shutdown(asio::as_tuple);
    std::rethrow_exception(failed);
  }
}

// The socket was closed under it, nobody cancelled the coroutine.
awaitable<> ownTimer(tcp::socket &s, asio::steady_timer &t) {
  bool expired = false;
  t.async_wait([&](asio::error_code) {
    expired = true;
    s.close();
  });
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    if (expired)
      co_await undo(s);
    std::rethrow_exception(failed);
  }
}

// Closing the acceptor ends what waits for it, not the coroutine.
class Server {
public:
  awaitable<> run() {
    auto [ec, n] = co_await acceptor_.async_read_some(asio::as_tuple);
    if (ec == asio::error::operation_aborted) {
      co_await say("closed");
      throw system_error(ec);
    }
  }
  void stop() { acceptor_.close(); }

private:
  tcp::socket acceptor_;
};

// A timer is cancelled to wake somebody.
awaitable<asio::error_code> woken(asio::steady_timer &t) {
  auto [ec] = co_await t.async_wait(asio::as_tuple);
  if (ec == asio::error::operation_aborted)
    co_await say("woken");
  co_return ec;
}

// Its awaits do not ask, or cannot be cancelled.
awaitable<> asksItself(tcp::socket &s) {
  co_await this_coro::throw_if_cancelled(false);
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s);
    std::rethrow_exception(failed);
  }
}
awaitable<> cannotBeCancelled(tcp::socket &s) {
  co_await this_coro::reset_cancellation_state(asio::disable_cancellation());
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s);
    std::rethrow_exception(failed);
  }
}

// Nobody cancels a detached root.
static awaitable<> session(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s);
    std::rethrow_exception(failed);
  }
}
void start(asio::executor e, tcp::socket &s) {
  co_spawn(e, session(s), asio::detached);
}

awaitable<> suppressed(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s); // NOLINT(async-unshielded-cleanup)
    std::rethrow_exception(failed);
  }
}
