// RUN: %check %s async-timeout-exceeds-budget

// Limits that are too long together.

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> user(int id);
folly::coro::Task<int> orders(int user);
folly::coro::Task<int> prices(int orders);

static folly::coro::Task<int> page(int id) {
  int u = co_await timeout(user(id), 2s);
  int o = co_await timeout(orders(u), 2s);
  int p = co_await timeout(prices(o), 2s);
  // CHECK-NOTES: :[[@LINE-1]]:20: warning: the steps up to here may take 6 s (2 s + 2 s + 2 s), but the limit around them ends the wait after 5 s [async-timeout-exceeds-budget]
  // CHECK-NOTES: :[[@LINE+7]]:22: note: the limit around them
  // CHECK-NOTES: :[[@LINE-6]]:31: note: it runs 'page'
  // CHECK-NOTES: :[[@LINE-6]]:20: note: this step may take 2 s
  // CHECK-NOTES: :[[@LINE-6]]:20: note: this step may take 2 s
  co_return p;
}
folly::coro::Task<int> handler(int id) {
  co_return co_await timeout(page(id), 5s);
}

// Also when the steps are functions of their own, with a pause between them.
static constexpr auto connectLimit = 3s;
folly::coro::Task<int> connect();
folly::coro::Task<int> greet();
static folly::coro::Task<int> connectStep() {
  co_return co_await timeout(connect(), connectLimit);
}
static folly::coro::Task<int> greetStep() {
  co_return co_await timeout(greet(), 1500ms);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the steps up to here may take 5 s (3 s + 500 ms + 1.5 s), but the limit around them ends the wait after 4 s
  // CHECK-NOTES: :[[@LINE+14]]:12: note: the limit around them
  // CHECK-NOTES: :[[@LINE+7]]:31: note: it runs 'open'
  // CHECK-NOTES: :[[@LINE-5]]:31: note: it runs 'greetStep'
  // CHECK-NOTES: :[[@LINE-8]]:22: note: this step may take 3 s
  // CHECK-NOTES: :[[@LINE-13]]:23: note: 'connectLimit' is 3 s
  // CHECK-NOTES: :[[@LINE+5]]:12: note: this pause takes 500 ms
}
// The steps:
static folly::coro::Task<int> open() {
  co_await connectStep();
  co_await folly::coro::sleep(500ms);
  co_return co_await greetStep();
}
folly::coro::Task<void> opened() {
  co_await timeout(open(), 4s);
}

// A loop with a known number of turns.
static folly::coro::Task<int> threeReplicas() {
  int sum = 0;
  for (int replica = 0; replica < 3; ++replica)
    sum += co_await timeout(user(replica), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the steps up to here may take 3 s (3 x 1 s), but the limit around them ends the wait after 2 s
  // CHECK-NOTES: :[[@LINE+5]]:22: note: the limit around them
  // CHECK-NOTES: :[[@LINE-6]]:31: note: it runs 'threeReplicas'
  co_return sum;
}
folly::coro::Task<int> quorum() {
  co_return co_await timeout(threeReplicas(), 2s);
}

// Retries: the last attempt never begins.
static folly::coro::Task<int> fourAttempts() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await timeout(user(i), 1s);
      // CHECK-NOTES: :[[@LINE-1]]:26: warning: 4 attempts of 1 s each plus 1.5 s of pauses can take 5.5 s; the last one never begins: the limit around them ends the wait after 2 s
      // CHECK-NOTES: :[[@LINE+10]]:22: note: the limit around them
      // CHECK-NOTES: :[[@LINE-6]]:31: note: it runs 'fourAttempts'
      // CHECK-NOTES: :[[@LINE-6]]:3: note: this tries again
    } catch (const folly::FutureTimeout &) {
    }
    co_await folly::coro::sleep(100ms * (1 << i));
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> impatient() {
  co_return co_await timeout(fourAttempts(), 2s);
}

// A helper tries again.
folly::coro::Task<int> withHelper() {
  co_return co_await timeout(
      folly::coro::retryN(5, [] { return timeout(user(1), 1s); }),
      // CHECK-NOTES: :[[@LINE-1]]:42: warning: 5 attempts of 1 s each can take 5 s; the last one never begins: the limit around them ends the wait after 3 s
      // CHECK-NOTES: :[[@LINE-3]]:22: note: the limit around them
      // CHECK-NOTES: :[[@LINE-3]]:30: note: it runs this lambda
      // CHECK-NOTES: :[[@LINE-4]]:7: note: this tries again
      3s);
}

// A fall-back has to fit as well.
static folly::coro::Task<int> primaryOrMirror() {
  try {
    co_return co_await timeout(user(1), 3s);
  } catch (const folly::FutureTimeout &) {
  }
  co_return co_await timeout(user(2), 3s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the steps up to here may take 6 s (3 s + 3 s), but the limit around them ends the wait after 4 s
  // CHECK-NOTES: :[[@LINE+5]]:22: note: the limit around them
  // CHECK-NOTES: :[[@LINE-8]]:31: note: it runs 'primaryOrMirror'
  // CHECK-NOTES: :[[@LINE-7]]:24: note: this step may take 3 s
}
folly::coro::Task<int> withMirror() {
  co_return co_await timeout(primaryOrMirror(), 4s);
}

// Steps of a switch that fall through, inside a lambda.
asio::awaitable<int> step(int n);
asio::awaitable<int> inALambda(int from) {
  auto executor = co_await asio::this_coro::executor;
  auto steps = [executor](int from) -> asio::awaitable<int> {
    int result = 0;
    switch (from) {
    case 0:
      result += co_await asio::co_spawn(executor, step(0), asio::cancel_after(4s, asio::use_awaitable));
    case 1:
      result += co_await asio::co_spawn(executor, step(1), asio::cancel_after(4s, asio::use_awaitable));
      // CHECK-NOTES: :[[@LINE-1]]:60: warning: the steps up to here may take 8 s (4 s + 4 s), but the limit around them ends the wait after 6 s
      // CHECK-NOTES: :[[@LINE+10]]:60: note: the limit around them
      // CHECK-NOTES: :[[@LINE-9]]:16: note: it runs this lambda
      // CHECK-NOTES: :[[@LINE-6]]:60: note: this step may take 4 s
      break;
    default:
      break;
    }
    co_return result;
  };
  // The whole:
  co_return co_await asio::co_spawn(executor, steps(from), asio::cancel_after(6s, asio::use_awaitable));
}
