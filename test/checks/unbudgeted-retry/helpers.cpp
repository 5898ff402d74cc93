// RUN: %check %s async-unbudgeted-retry

// Retries and limits that stand in functions of their own.

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;
using Clock = std::chrono::steady_clock;

folly::coro::Task<int> fetch();

folly::coro::Task<int> modelled() {
  co_return co_await folly::coro::retryN(
      // CHECK-MESSAGES: :[[@LINE+2]]:22: warning: 4 attempts of 1 s each can take 4 s; nothing limits the whole
      // CHECK-MESSAGES: :[[@LINE-2]]:22: note: 'retryN' tries again
      4, [] { return timeout(fetch(), 1s); });
}

folly::coro::Task<int> modelledUnderATimeout() {
  co_return co_await timeout(
      folly::coro::retryN(4, [] { return timeout(fetch(), 1s); }), 2s);
}

folly::coro::Task<int> modelledWithADeadline(Clock::time_point until) {
  co_return co_await folly::coro::retryN(4, [until] {
    return timeout(fetch(), std::min<Clock::duration>(1s, until - Clock::now()));
  });
}

// The user's own.
template <class F> folly::coro::Task<int> withRetries(int tries, F attempt) {
  for (int i = 1;; ++i) {
    try {
      co_return co_await attempt();
    } catch (...) {
      if (i >= tries)
        throw;
    }
    co_await folly::coro::sleep(100ms);
  }
}

folly::coro::Task<int> own() {
  auto attempt = []() -> folly::coro::Task<int> {
    co_return co_await timeout(fetch(), 2s);
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 3 attempts of 2 s each plus 200 ms of pauses can take 6.2 s
    // CHECK-MESSAGES: :[[@LINE+2]]:22: note: 'withRetries' tries again
  };
  co_return co_await withRetries(3, attempt);
}

folly::coro::Task<int> ownUnderATimeout() {
  co_return co_await timeout(
      withRetries(3, [] { return timeout(fetch(), 2s); }), 4s);
}

// A helper that keeps to a deadline may be given limited attempts.
template <class F>
folly::coro::Task<int> untilDeadline(Clock::time_point until, F attempt) {
  while (Clock::now() < until) {
    try {
      co_return co_await attempt();
    } catch (...) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> usesIt(Clock::time_point until) {
  co_return co_await untilDeadline(until, [] { return timeout(fetch(), 2s); });
}

// A wrapper that forwards into a timeout is a timeout.
template <class T>
folly::coro::Task<T> within(std::chrono::milliseconds limit,
                            folly::coro::Task<T> work) {
  co_return co_await timeout(std::move(work), limit);
}
folly::coro::Task<int> wrapped() {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await within(700ms, fetch());
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 700 ms each can take 2.1 s
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

constexpr auto kUsual = 800ms;
template <class F> folly::coro::Task<int> limited(F work) {
  return timeout(work(), kUsual);
}
folly::coro::Task<int> wrappedConstant() {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await limited([] { return fetch(); });
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 800 ms each can take 2.4 s
      // CHECK-MESSAGES: :[[@LINE-9]]:16: note: 'kUsual' is 800 ms
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// A coroutine that only waits for a timer is a pause, and a timer in a race.
asio::awaitable<void> pauseFor(std::chrono::milliseconds length) {
  asio::steady_timer timer(co_await asio::this_coro::executor, length);
  co_await timer.async_wait(asio::use_awaitable);
}
asio::awaitable<int> download();
asio::awaitable<int> pauses() {
  using namespace asio::experimental::awaitable_operators;
  for (int i = 0; i < 3; ++i) {
    auto first = co_await (download() || pauseFor(1s));
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 3 attempts of 1 s each plus 750 ms of pauses can take 3.75 s
    if (first.index() == 0)
      co_return std::get<0>(first);
    co_await pauseFor(250ms);
  }
  co_return -1;
}

// A limit given to the awaited function by name.
struct Client {
  folly::coro::Task<std::optional<int>> get(int key, std::chrono::seconds timeout);
  folly::coro::Task<std::optional<int>> get(int key, int timeoutMs);
};
folly::coro::Task<int> byName(Client &client) {
  for (int i = 0; i < 3; ++i) {
    if (auto value = co_await client.get(1, 2s))
      // CHECK-MESSAGES: :[[@LINE-1]]:45: warning: 3 attempts of 2 s each can take 6 s
      co_return *value;
  }
  for (int i = 0; i < 3; ++i) {
    auto value = co_await client.get(1, 1500);
    // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 3 attempts of 1.5 s each can take 4.5 s
    if (!value.has_value())
      continue;
    co_return *value;
  }
  co_return 0;
}
