// RUN: %check %s async-timeout-exceeds-budget --suffix DEFAULT
// RUN: %check %s async-timeout-exceeds-budget --suffix LESS \
// RUN:   --option async-timeout-exceeds-budget.EqualIsBad=false \
// RUN:   --option async-timeout-exceeds-budget.SumSequential=false \
// RUN:   --option async-timeout-exceeds-budget.MaxDepth=1
// RUN: %check %s async-timeout-exceeds-budget --suffix HANDLER \
// RUN:   --option async-timeout-exceeds-budget.HandlerBudget=2s \
// RUN:   "--option=async-timeout-exceeds-budget.Handlers=onRequest;Server::serve"

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::timeout;

folly::coro::Task<int> ask();

folly::coro::Task<int> equal() {
  co_return co_await timeout(timeout(ask(), 2s), 2000ms);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:30: warning: this limit of 2 s
  // CHECK-MESSAGES-HANDLER: :[[@LINE-2]]:30: warning: this limit of 2 s
}

static folly::coro::Task<int> steps() {
  co_await timeout(ask(), 2s);
  co_return co_await timeout(ask(), 2s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:22: warning: the steps up to here may take 4 s
  // CHECK-MESSAGES-HANDLER: :[[@LINE-2]]:22: warning: the steps up to here may take 4 s
}
folly::coro::Task<int> sum() { co_return co_await timeout(steps(), 3s); }

static folly::coro::Task<int> deepest() {
  co_return co_await timeout(ask(), 9s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:22: warning: this limit of 9 s
  // CHECK-MESSAGES-HANDLER: :[[@LINE-2]]:22: warning: this limit of 9 s
}
static folly::coro::Task<int> deeper() { co_return co_await deepest(); }
folly::coro::Task<int> deep() { co_return co_await timeout(deeper(), 3s); }

folly::coro::Task<int> onRequest() {
  co_return co_await timeout(ask(), 5s);
  // CHECK-MESSAGES-HANDLER: :[[@LINE-1]]:22: warning: this limit of 5 s never runs out: 2 s are there for the whole
}
struct Server {
  folly::coro::Task<int> serve() {
    co_await timeout(ask(), 1s);
    co_return co_await timeout(ask(), 1500ms);
    // CHECK-MESSAGES-HANDLER: :[[@LINE-1]]:24: warning: the steps up to here may take 2.5 s (1 s + 1.5 s), but 2 s are there for the whole
  }
};
