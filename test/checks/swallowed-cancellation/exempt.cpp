// RUN: %check %s async-swallowed-cancellation

// Places where it is right to end.

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <memory>

using asio::ip::tcp;

// Roots of detached work: nobody waits for them.
struct Session : std::enable_shared_from_this<Session> {
  tcp::socket socket;
  asio::executor ex;
  void start() {
    asio::co_spawn(ex, [self = shared_from_this()] { return self->read(); }, asio::detached);
  }
  asio::awaitable<> read() {
    try {
      for (;;)
        co_await socket.async_read_some(asio::use_awaitable);
    } catch (const std::exception &) {
      socket.close();
    }
  }
};

asio::awaitable<> listen(tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
  }
}

void spawnsLambda(asio::executor ex, tcp::socket &s) {
  asio::co_spawn(ex, listen(s), asio::detached);
  asio::co_spawn(
      ex,
      [&]() -> asio::awaitable<> {
        try {
          co_await s.async_read_some(asio::use_awaitable);
        } catch (const std::exception &) {
        }
      },
      asio::detached);
}

// The same shape, but its caller waits for it.
asio::awaitable<> awaited(tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the coroutine goes on
  }
}
asio::awaitable<> caller(tcp::socket &s) {
  co_await awaited(s);
  co_await awaited(s);
}

// What this coroutine cancelled itself.
asio::awaitable<> ownChild(asio::steady_timer &t, asio::awaitable<> child) {
  t.cancel();
  try {
    co_await std::move(child);
  } catch (const std::system_error &e) {
    if (e.code() != std::errc::operation_canceled)
      throw;
  }
}

// Closing may fail.
asio::awaitable<> close(tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
  }
}
seastar::future<> finish(seastar::output_stream &out, seastar::abort_source &as) {
  try {
    co_await out.close();
  } catch (...) {
  }
}

// The loop asks its own abort source.
seastar::future<> send(seastar::abort_source &as);
seastar::future<> untilStopped(seastar::abort_source &as) {
  while (!as.abort_requested()) {
    try {
      co_await send(as);
    } catch (...) {
    }
  }
}

// The pause that follows is aborted as well.
seastar::future<> pauses(seastar::abort_source &as) {
  for (;;) {
    try {
      co_await send(as);
    } catch (...) {
    }
    co_await seastar::sleep_abortable(std::chrono::seconds(1), as);
  }
}

// A safe point raises the cancellation again.
folly::coro::Task<int> fetch();
folly::coro::Task<int> safePoint() {
  try {
    co_return co_await fetch();
  } catch (...) {
  }
  co_await folly::coro::co_safe_point;
  co_return 0;
}

// Nobody can cancel what a thread waits for.
folly::coro::Task<int> blockedOn() {
  try {
    co_return co_await fetch();
  } catch (...) {
    co_return 0;
  }
}
int main() { return folly::coro::blockingWait(blockedOn()); }

// A test states which error it wants.
#define EXPECT_NO_THROW(statement)                                             \
  try {                                                                        \
    statement;                                                                 \
  } catch (...) {                                                              \
  }
folly::coro::Task<> inTest() { EXPECT_NO_THROW(co_await fetch()); }
