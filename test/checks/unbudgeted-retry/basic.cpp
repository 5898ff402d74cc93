// RUN: %check %s async-unbudgeted-retry

// Attempts, limits and pauses, and what they add up to.

#include "time/asio.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;

folly::coro::Task<int> fetch();
seastar::future<int> order(int item, seastar::lowres_clock::time_point until);
asio::awaitable<int> download();
bool worthRetrying(const std::exception &);

constexpr auto kAttempt = std::chrono::milliseconds(1500);
static const int kMax = 3;

folly::coro::Task<int> fourTimesOneSecond() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 4 attempts of 1 s each can take 4 s; nothing limits the whole [async-unbudgeted-retry]
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> namedConstants() {
  for (int i = 0; i < kMax; ++i) {
    try {
      co_return co_await timeout(fetch(), kAttempt);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 1.5 s each plus 200 ms of pauses can take 4.7 s; nothing limits the whole
      // CHECK-MESSAGES: :[[@LINE-4]]:3: note: the loop that tries again
      // CHECK-MESSAGES: :[[@LINE-19]]:18: note: 'kMax' is 3
      // CHECK-MESSAGES: :[[@LINE-21]]:16: note: 'kAttempt' is 1.5 s
      // CHECK-MESSAGES: :[[@LINE+5]]:14: note: the pauses between attempts, 200 ms in all
    } catch (...) {
      if (i + 1 == kMax)
        throw;
    }
    co_await folly::coro::sleep(100ms);
  }
}

// The pause before the first attempt counts, the one after the last does not.
folly::coro::Task<int> doubling() {
  auto pause = 100ms;
  int left = 5;
  while (left-- > 0) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 5 attempts of 1 s each plus 1.7 s of pauses can take 6.7 s
    } catch (const std::exception &e) {
      if (!worthRetrying(e))
        throw;
    }
    co_await folly::coro::sleep(pause);
    pause = std::min(pause * 2, 500ms);
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> growing() {
  auto limit = 1s;
  for (int i = 0; i < 3; ++i, limit *= 2) {
    try {
      co_return co_await timeout(fetch(), limit);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts can take 7 s; nothing
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

seastar::future<int> deadlineOfEachAttempt(int item, seastar::abort_source &as) {
  for (int n = 1;; ++n) {
    try {
      co_return co_await order(item, seastar::lowres_clock::now() + 2s);
      // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: 5 attempts of 2 s each plus 150 ms of pauses can take 10.15 s
    } catch (const seastar::timed_out_error &) {
      if (n == 5)
        throw;
    }
    co_await seastar::sleep_abortable(10ms * (1 << (n - 1)), as);
  }
}

seastar::future<int> heldAsValue(int item) {
  for (int n = 0; n < 3; n++) {
    auto f = co_await seastar::coroutine::as_future(seastar::with_timeout(
        // CHECK-MESSAGES: :[[@LINE-1]]:53: warning: 3 attempts of 2 s each can take 6 s
        seastar::lowres_clock::now() + 2s, order(item, {})));
    if (!f.failed())
      co_return f.get();
  }
  co_return -1;
}

asio::awaitable<int> raceWithTimer() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (int i = 0; i < 4; ++i) {
    timer.expires_after(500ms);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 4 attempts of 500 ms each can take 2 s
    auto first =
        co_await (download() || timer.async_wait(asio::use_awaitable));
    if (first.index() == 0)
      co_return std::get<0>(first);
  }
  co_return -1;
}

// Fail-over: as many attempts as there are servers.
asio::awaitable<std::size_t> anyServer(asio::socket (&servers)[3], char *to) {
  for (asio::socket &s : servers) {
    auto [ec, n] = co_await s.async_read_some(
        to, asio::cancel_after(10s, asio::as_tuple(asio::use_awaitable)));
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 3 endpoints of 10 s each can take 30 s; nothing limits the whole
    if (!ec)
      co_return n;
  }
  co_return 0;
}

struct Servers {
  asio::socket *begin();
  asio::socket *end();
};
asio::awaitable<std::size_t> anyOfMany(Servers servers, char *to) {
  for (asio::socket &s : servers) {
    auto [ec, n] = co_await s.async_read_some(
        to, asio::as_tuple(asio::cancel_after(10s, asio::use_awaitable)));
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: each endpoint may take 10 s, one after the other; nothing limits the whole
    if (ec)
      continue;
    co_return n;
  }
  co_return 0;
}

// Nobody counts: the loop itself is at fault.
folly::coro::Task<int> forEver() {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each attempt may take 3 s, and they go on until one succeeds; nothing limits the whole
    // CHECK-MESSAGES: :[[@LINE+1]]:52: note: the limit of one attempt
    auto tried = co_await folly::coro::co_awaitTry(timeout(fetch(), 3s));
    if (tried.hasValue())
      co_return tried.value();
    co_await folly::coro::sleep(1s);
  }
}

folly::coro::Task<int> countElsewhere(int tries, std::chrono::seconds each) {
  for (int i = 0; i < tries; ++i) {
    try {
      co_return co_await timeout(fetch(), each);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: each attempt may take 'each'; nothing limits the whole
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

struct Settings {
  int tries = 4;
  std::chrono::milliseconds each{250};
};
folly::coro::Task<int> bySettings(Settings settings) {
  for (int i = 0; i < settings.tries; ++i) {
    try {
      co_return co_await timeout(fetch(), settings.each);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: by default 4 attempts of 250 ms each can take 1 s
      // CHECK-MESSAGES: :[[@LINE-8]]:7: note: 'tries' is 4 by default
      // CHECK-MESSAGES: :[[@LINE-8]]:29: note: 'each' is 250 ms by default
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// A coroutine that tries itself again.
folly::coro::Task<int> again(int tries = 3) {
  try {
    co_return co_await timeout(fetch(), 1s);
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: by default 3 attempts of 1 s each plus 1 s of pauses can take 4 s
    // CHECK-MESSAGES: :[[@LINE+6]]:22: note: the coroutine tries again by calling itself
  } catch (const folly::FutureTimeout &) {
    if (tries <= 1)
      throw;
  }
  co_await folly::coro::sleep(500ms);
  co_return co_await again(tries - 1);
}

// Two limited steps of one attempt are one finding.
folly::coro::Task<int> connectThenFetch() {
  for (int i = 0; i < 2; ++i) {
    try {
      co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE+2]]:26: warning: 2 attempts of 3 s each can take 6 s
      // CHECK-MESSAGES: :[[@LINE-2]]:16: note: this step of an attempt may take 1 s
      co_return co_await timeout(fetch(), 2s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// The failure is kept and looked at behind the handler.
folly::coro::Task<int> flag() {
  bool done = false;
  int result = 0;
  for (unsigned n = 0; n != 3 && !done; ++n) {
    std::exception_ptr failure;
    try {
      result = co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 3 attempts of 1 s each can take 3 s
    } catch (...) {
      failure = std::current_exception();
    }
    if (!failure)
      done = true;
  }
  co_return result;
}

// One way round does not count.
folly::coro::Task<int> uncounted() {
  int failures = 0;
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each attempt may take 3 s, and they go on until one succeeds
    try {
      auto tried = co_await folly::coro::co_awaitTry(timeout(fetch(), 3s));
      if (tried.hasValue())
        co_return tried.value();
      continue;
    } catch (...) {
      if (++failures > 5)
        throw;
    }
    co_await folly::coro::sleep(1s);
  }
}

// Something ends these, but nobody here knows when.
folly::coro::Task<int> byIterator(Servers &servers) {
  for (asio::socket *s = servers.begin(); s != servers.end(); ++s) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: each attempt may take 1 s; nothing limits the whole
    } catch (const folly::FutureTimeout &) {
    }
  }
  co_return 0;
}
struct Queue {
  bool empty() const;
  int pop();
};
folly::coro::Task<int> byQueue() {
  Queue hosts;
  while (!hosts.empty()) {
    hosts.pop();
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: each attempt may take 1 s; nothing limits the whole
    } catch (const folly::FutureTimeout &) {
    }
  }
  co_return 0;
}
