// RUN: %check %s async-timeout-confused-with-cancellation

#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <optional>

using namespace std::chrono_literals;
using folly::FutureTimeout;
using folly::OperationCancelled;
using folly::coro::Task;

Task<int> query();
void log(const char *);

Task<std::optional<int>> sameType() {
  try {
    co_return co_await folly::coro::timeoutNoDiscard(query(), 1s);
  } catch (const OperationCancelled &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const OperationCancelled &)' takes every cancellation for the timeout: one by the caller looks the same and is lost [async-timeout-confused-with-cancellation]
    // CHECK-MESSAGES: :[[@LINE-3]]:24: note: when time is up here, it looks like a cancellation
    co_return std::nullopt;
  }
}

Task<std::optional<int>> asksToken() {
  auto token = co_await folly::coro::co_current_cancellation_token;
  try {
    co_return co_await folly::coro::timeoutNoDiscard(query(), 1s);
  } catch (const OperationCancelled &) {
    if (token.isCancellationRequested())
      throw;
    co_return std::nullopt;
  }
}

// A timeout with a type of its own is no cancellation.
Task<std::optional<int>> ownType() {
  try {
    co_return co_await folly::coro::timeout(query(), 1s);
  } catch (const FutureTimeout &) {
    co_return std::nullopt;
  }
}

Task<int> timeoutAsCancellation() {
  try {
    co_return co_await folly::coro::timeout(query(), 1s);
  } catch (const FutureTimeout &) {
    throw OperationCancelled();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this reports a timeout as a cancellation, which callers drop without an error [async-timeout-confused-with-cancellation]
    // CHECK-MESSAGES: :[[@LINE-3]]:5: note: the timeout is caught here
  }
}

Task<int> onlyIfCancelled() {
  auto token = co_await folly::coro::co_current_cancellation_token;
  try {
    co_return co_await folly::coro::timeout(query(), 1s);
  } catch (const FutureTimeout &) {
    if (token.isCancellationRequested())
      throw OperationCancelled();
    throw;
  }
}

seastar::future<> read(seastar::abort_source &);

seastar::future<> abortsOnTimeout(seastar::abort_source &as) {
  try {
    co_await read(as);
  } catch (const seastar::timed_out_error &) {
    throw seastar::abort_requested_exception();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this reports a timeout as a cancellation
  }
}

// One cancellation for another.
seastar::future<> translates(seastar::abort_source &as) {
  try {
    co_await read(as);
  } catch (const seastar::sleep_aborted &) {
    throw seastar::abort_requested_exception();
  }
}
