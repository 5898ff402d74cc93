// RUN: %check %s async-unbudgeted-retry

// Loops with limited awaits that try nothing again.

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> read();
folly::coro::Task<std::optional<int>> next();
folly::coro::Task<bool> ready();
folly::coro::Task<int> accept();
void handle(int);
void logFailure();

// Errors leave; so does the end of the stream.
folly::coro::Task<int> stream() {
  int total = 0;
  for (;;) {
    int n = co_await timeout(read(), 30s);
    if (n == 0)
      co_return total;
    total += n;
  }
}

asio::awaitable<std::size_t> streamByCode(asio::socket &s, char *to) {
  std::size_t total = 0;
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(
        to, asio::cancel_after(30s, asio::as_tuple(asio::use_awaitable)));
    if (ec)
      co_return total;
    total += n;
  }
}

folly::coro::Task<void> drain() {
  while (auto item = co_await timeout(next(), 1s))
    handle(*item);
}

// An idle limit per item: running out of time goes on, and so does success.
folly::coro::Task<void> service() {
  for (;;) {
    try {
      handle(co_await timeout(accept(), 5s));
    } catch (const folly::FutureTimeout &) {
      logFailure();
    }
  }
}

folly::coro::Task<void> heartbeat() {
  while (true) {
    try {
      co_await timeout(read(), 1s);
    } catch (...) {
      logFailure();
    }
    co_await folly::coro::sleep(10s);
  }
}

folly::coro::Task<void> eachItem(int (&items)[8]) {
  for (int item : items) {
    try {
      handle(item + co_await timeout(read(), 1s));
    } catch (const folly::FutureTimeout &) {
      logFailure();
    }
  }
}

// A poller re-tests a condition that is not the await's.
struct Flag {
  bool isSet() const;
};
folly::coro::Task<void> poll(Flag &flag) {
  while (!flag.isSet()) {
    try {
      co_await timeout(read(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
}

// Running out of time leaves this loop.
folly::coro::Task<void> untilReady() {
  for (int i = 0; i < 10; ++i) {
    if (co_await timeout(ready(), 1s))
      co_return;
    co_await folly::coro::sleep(100ms);
  }
}

folly::coro::Task<int> once() {
  for (int i = 0; i < 1; ++i) {
    try {
      co_return co_await timeout(read(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  co_return 0;
}

// No attempt has a limit: that is another fault.
folly::coro::Task<int> noLimit() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await read();
    } catch (...) {
    }
    co_await folly::coro::sleep(1s);
  }
  co_return 0;
}

// Goes on until somebody else stops it.
folly::coro::Task<void> untilStopped(folly::CancellationToken token) {
  while (!token.isCancellationRequested()) {
    try {
      co_await timeout(read(), 5s);
      break;
    } catch (const folly::FutureTimeout &) {
    }
    co_await folly::coro::sleep(1s);
  }
}
struct Service {
  bool running = true;
  folly::coro::Task<void> connect() {
    while (running) {
      try {
        co_await timeout(read(), 5s);
        co_return;
      } catch (const folly::FutureTimeout &) {
      }
    }
  }
};

// Every handler leaves.
folly::coro::Task<int> gaveUp() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(read(), 1s);
    } catch (const folly::FutureTimeout &) {
      logFailure();
      break;
    } catch (...) {
      throw;
    }
  }
  co_return -1;
}

// Steps of one protocol, each with its limit.
folly::coro::Task<int> steps() {
  int sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += co_await timeout(read(), 1s);
  co_return sum;
}

// A time stamp is no limit, and neither is a deadline that is left open.
using Clock = std::chrono::steady_clock;
folly::coro::Task<int> insert(int id, Clock::time_point writtenAt);
folly::coro::Task<int> commit(int id, Clock::time_point deadline);
folly::coro::Task<int> stamped(int id) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    try {
      co_await commit(id, {});
      co_return co_await insert(id, Clock::now());
    } catch (const folly::FutureTimeout &) {
    }
  }
  co_return -1;
}
