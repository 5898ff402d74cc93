// RUN: %check %s async-swallowed-cancellation

// A bool that says whether the work was done may say it of a cancellation.

#include "cancellation/folly.h"

folly::coro::Task<> nap();

folly::coro::Task<bool> sleepsThrough() {
  try {
    co_await nap();
  } catch (const folly::OperationCancelled &) {
    co_return false;
  }
  co_return true;
}

folly::coro::Task<bool> insideTry() {
  try {
    co_await nap();
    co_return true;
  } catch (const folly::OperationCancelled &) {
    co_return false;
  }
}

folly::coro::Task<bool> sameAnswer() {
  try {
    co_await nap();
  } catch (const folly::OperationCancelled &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const folly::OperationCancelled &)' swallows cancellation
    co_return true;
  }
  co_return true;
}

folly::coro::Task<bool> anyError() {
  try {
    co_await nap();
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &) {
    co_return false;
  }
  co_return true;
}
