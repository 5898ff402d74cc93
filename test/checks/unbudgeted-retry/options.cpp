// RUN: %check %s async-unbudgeted-retry --suffix DEFAULT
// RUN: %check %s async-unbudgeted-retry --suffix BUDGET --option async-unbudgeted-retry.OuterBudget=3s
// RUN: %check %s async-unbudgeted-retry --suffix MANY --option async-unbudgeted-retry.MinAttempts=3
// RUN: %check %s async-unbudgeted-retry --suffix NOENDPOINTS --option async-unbudgeted-retry.EndpointLoops=false
// RUN: %check %s async-unbudgeted-retry --suffix NAMES --option async-unbudgeted-retry.RetryHelpers=tryHard --option async-unbudgeted-retry.DeadlineTypes=net::Expiry

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> fetch(int host = 0);

folly::coro::Task<int> twoAttempts() {
  for (int i = 0; i < 2; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:26: warning: 2 attempts of 1 s each can take 2 s; nothing
      // CHECK-MESSAGES-NOENDPOINTS: :[[@LINE-2]]:26: warning: 2 attempts
      // CHECK-MESSAGES-NAMES: :[[@LINE-3]]:26: warning: 2 attempts
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> endpoints(int (&hosts)[4]) {
  for (int host : hosts) {
    try {
      co_return co_await timeout(fetch(host), 1s);
      // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:26: warning: 4 endpoints of 1 s each can take 4 s; nothing limits the whole
      // CHECK-MESSAGES-BUDGET: :[[@LINE-2]]:26: warning: 4 endpoints of 1 s each can take 4 s; more than the 3 s there are for the whole
      // CHECK-MESSAGES-MANY: :[[@LINE-3]]:26: warning: 4 endpoints
      // CHECK-MESSAGES-NAMES: :[[@LINE-4]]:26: warning: 4 endpoints
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

template <class F> folly::coro::Task<int> tryHard(F attempt) {
  co_return co_await attempt();
}
folly::coro::Task<int> unknownHelper() {
  co_return co_await tryHard([] { return timeout(fetch(), 1s); });
  // CHECK-MESSAGES-NAMES: :[[@LINE-1]]:42: warning: each attempt may take 1 s; nothing limits the whole
}

namespace net {
struct Expiry {
  bool over() const;
};
} // namespace net
folly::coro::Task<int> withExpiry(net::Expiry expiry) {
  for (int i = 0; i < 5; ++i) {
    try {
      co_return co_await timeout(fetch(), 1s);
      // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:26: warning: 5 attempts of 1 s each can take 5 s
      // CHECK-MESSAGES-BUDGET: :[[@LINE-2]]:26: warning: 5 attempts
      // CHECK-MESSAGES-MANY: :[[@LINE-3]]:26: warning: 5 attempts
      // CHECK-MESSAGES-NOENDPOINTS: :[[@LINE-4]]:26: warning: 5 attempts
    } catch (const folly::FutureTimeout &) {
      if (expiry.over())
        throw;
    }
  }
  throw folly::FutureTimeout();
}
