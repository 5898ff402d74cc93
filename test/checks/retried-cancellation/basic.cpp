// RUN: %check %s async-retried-cancellation

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <cstdio>

using asio::ip::tcp;
folly::coro::Task<int> fetch();

folly::coro::Task<int> retries() {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await fetch();
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' retries after cancellation: it cannot be stopped from outside [async-retried-cancellation]
      // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
      std::puts("again");
    }
  }
  co_return 0;
}

// Each later await of a cancelled coroutine fails at once.
asio::awaitable<int> spins(tcp::socket &s) {
  for (;;) {
    try {
      co_return co_await s.async_read_some(asio::use_awaitable);
    } catch (const std::system_error &e) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (const std::system_error &)' retries after cancellation: each turn fails again at once, so the loop spins
      // CHECK-FIXES: catch (const std::system_error &e) { if (e.code() == asio::error::operation_aborted) throw;
      std::puts(e.what());
      continue;
    }
  }
}

asio::awaitable<bool> byCode(tcp::socket &s) {
  for (int i = 0; i < 5; ++i) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (!ec)
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: this loop retries after cancellation, which is one of the errors tested here: it cannot be stopped from outside
      // CHECK-MESSAGES: :[[@LINE-3]]:20: note: a cancellation comes as the result of this await
      co_return true;
  }
  co_return false;
}

folly::coro::Task<int> byTry() {
  while (true) {
    auto result = co_await folly::coro::co_awaitTry(fetch());
    if (result.hasValue())
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: this loop retries after cancellation
      co_return result.value();
  }
}

//===--- What must stay silent --------------------------------------------===//

folly::coro::Task<int> onlyTimeouts() {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await fetch();
    } catch (const folly::FutureTimeout &) {
      std::puts("again");
    }
  }
  co_return 0;
}

folly::coro::Task<int> tokenTested() {
  auto token = co_await folly::coro::co_current_cancellation_token;
  while (!token.isCancellationRequested()) {
    try {
      co_return co_await fetch();
    } catch (...) {
      std::puts("again");
    }
  }
  co_return 0;
}

folly::coro::Task<int> givesUp() {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await fetch();
    } catch (const std::exception &) {
      throw;
    }
  }
  co_return 0;
}

asio::awaitable<int> codeTested(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (ec == asio::error::operation_aborted)
      throw std::system_error(ec);
    if (!ec)
      co_return n;
  }
}

asio::awaitable<int> switchOnCode(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    switch (ec.value()) {
    case asio::error::operation_aborted:
      co_return -1;
    case 0:
      co_return n;
    default:
      break;
    }
  }
}

// Errors leave this loop; success goes round.
asio::awaitable<> streams(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (ec)
      break;
    std::printf("%d\n", n);
  }
}

// The root of detached work ends by itself at its next await.
asio::awaitable<> accepts(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (!ec)
      std::printf("%d\n", n);
  }
}
void start(asio::executor ex, tcp::socket &s) { asio::co_spawn(ex, accepts(s), asio::detached); }

folly::coro::Task<int> silenced() {
  for (;;) {
    try {
      co_return co_await fetch();
    } catch (...) { // NOLINT(async-retried-cancellation)
    }
  }
}

template <class T> folly::coro::Task<T> instantiated() {
  for (;;) {
    try {
      co_return co_await fetch();
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' retries after cancellation
      // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    }
  }
}
template folly::coro::Task<int> instantiated();
template folly::coro::Task<long> instantiated();

#define IGNORE_ERRORS                                                          \
  catch (...) {                                                                \
  }
auto lambda = []() -> folly::coro::Task<int> {
  for (;;) {
    try {
      co_return co_await fetch();
    }
    IGNORE_ERRORS
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' retries after cancellation
  }
};
