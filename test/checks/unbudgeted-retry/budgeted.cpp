// RUN: %check %s async-unbudgeted-retry

// Something bounds the attempts together.

#include "time/asio.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;
using Clock = std::chrono::steady_clock;

folly::coro::Task<int> fetch();
seastar::future<int> order(int item, seastar::lowres_clock::time_point until);
asio::awaitable<int> download();

folly::coro::Task<int> whatIsLeft() {
  const auto deadline = Clock::now() + 2s;
  for (int i = 0; i < 4; ++i) {
    auto left = deadline - Clock::now();
    if (left <= 0s)
      break;
    try {
      co_return co_await timeout(fetch(), std::min<Clock::duration>(1s, left));
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> testedOnly(Clock::time_point deadline) {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
      if (Clock::now() >= deadline)
        throw;
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> elapsed() {
  const auto start = Clock::now();
  while (Clock::now() - start < 5s) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> spent(std::chrono::milliseconds total) {
  for (int i = 0; i < 4; ++i) {
    auto begin = Clock::now();
    try {
      co_return co_await timeout(fetch(), total);
    } catch (const folly::FutureTimeout &) {
    }
    total -= std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() -
                                                                   begin);
  }
  throw folly::FutureTimeout();
}

struct Budget {
  std::chrono::milliseconds remaining() const;
  bool exhausted() const;
};
folly::coro::Task<int> budgetObject(Budget &budget) {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), budget.remaining());
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> budgetAsked(Budget &budget) {
  while (!budget.exhausted()) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> helperLambda(Clock::time_point until) {
  auto left = [&] { return until - Clock::now(); };
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), left());
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

seastar::future<int> sharedDeadline(int item,
                                    seastar::lowres_clock::time_point until) {
  for (int n = 0; n < 3; ++n) {
    try {
      co_return co_await order(item, until);
    } catch (const seastar::timed_out_error &) {
    }
  }
  co_return -1;
}

seastar::future<int> deadlineOfTheWhole(int item) {
  auto until = seastar::lowres_clock::now() + 2s;
  for (int n = 0; n < 3; ++n) {
    try {
      co_return co_await seastar::with_timeout(until, order(item, until));
    } catch (const seastar::timed_out_error &) {
    }
  }
  co_return -1;
}

struct Client {
  Clock::time_point giveUp;
  folly::coro::Task<int> get() {
    for (int i = 0; i < 4; ++i) {
      try {
        co_return co_await timeout(fetch(), giveUp - Clock::now());
      } catch (const folly::FutureTimeout &) {
      }
    }
    throw folly::FutureTimeout();
  }
};

// One timer, set before the loop, for all attempts.
asio::awaitable<int> oneTimer() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 2s);
  for (int i = 0; i < 4; ++i) {
    auto first =
        co_await (download() || timer.async_wait(asio::use_awaitable));
    if (first.index() == 0)
      co_return std::get<0>(first);
  }
  co_return -1;
}

// A timer beside the loop stops it.
asio::awaitable<std::size_t> watchdog(asio::socket &s, char *to) {
  asio::steady_timer limit(co_await asio::this_coro::executor, 2s);
  limit.async_wait([&] { s = {}; });
  for (int i = 0; i < 4; ++i) {
    auto [ec, n] = co_await s.async_read_some(
        to, asio::cancel_after(1s, asio::as_tuple(asio::use_awaitable)));
    if (!ec)
      co_return n;
  }
  co_return 0;
}

// The whole loop runs under a timeout in this file.
folly::coro::Task<int> loopOnly() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> limitsTheLoop() {
  co_return co_await timeout(loopOnly(), 3s);
}

folly::coro::Task<int> inALambda() {
  co_return co_await timeout(
      []() -> folly::coro::Task<int> {
        for (int i = 0; i < 4; ++i) {
          try {
            co_return co_await timeout(fetch(), 1s);
          } catch (const folly::FutureTimeout &) {
          }
        }
        throw folly::FutureTimeout();
      }(),
      3s);
}

folly::coro::Task<int> twoCallersDown() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> between() { co_return co_await twoCallersDown() + 1; }
folly::coro::Task<int> limitsBetween() {
  auto work = between();
  co_return co_await timeout(std::move(work), 3s);
}

[[clang::annotate("async-tidy:budgeted")]] folly::coro::Task<int> promised() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// The timeout limits one attempt only, although it stands in a lambda.
folly::coro::Task<int> notTheLoop() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(
          // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 4 attempts of 1 s each can take 4 s
          []() -> folly::coro::Task<int> { co_return co_await fetch(); }(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// One of two callers sets no limit.
folly::coro::Task<int> halfLimited() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 4 attempts of 1 s each can take 4 s
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> careful() { co_return co_await timeout(halfLimited(), 2s); }
folly::coro::Task<int> careless() { co_return co_await halfLimited(); }

// A deadline that each attempt sets anew is none.
folly::coro::Task<int> freshDeadline() {
  for (int i = 0; i < 4; ++i) {
    auto deadline = Clock::now() + 1s;
    try {
      co_return co_await timeout(fetch(), deadline - Clock::now());
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 4 attempts of up to 1 s each can take 4 s
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
