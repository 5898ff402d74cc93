// RUN: %check %s async-unshielded-cleanup

#include "cancellation/cppcoro.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"

using folly::OperationCancelled;
using folly::coro::Task;

//===----------------------------------------------------------------------===//
// The token of the caller
//===----------------------------------------------------------------------===//

Task<int> query();
Task<> undo();
void log(const char *);

Task<> onCancellation() {
  bool stopped = false;
  try {
    co_await query();
  } catch (const OperationCancelled &) {
    stopped = true;
  }
  if (stopped) {
    co_await undo();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the coroutine is still cancelled, so 'undo' is cancelled at once [async-unshielded-cleanup]
    // CHECK-FIXES: co_await folly::coro::co_withCancellation(folly::CancellationToken{}, undo());
    co_yield folly::coro::co_stopped_may_throw;
  }
}

Task<> shielded() {
  bool stopped = false;
  try {
    co_await query();
  } catch (const OperationCancelled &) {
    stopped = true;
  }
  if (stopped) {
    co_await folly::coro::co_withCancellation(folly::CancellationToken{},
                                              undo());
    co_yield folly::coro::co_stopped_may_throw;
  }
}

// Has no place where it could be cancelled.
Task<> note() {
  log("stopped");
  co_return;
}
Task<> notes() {
  bool stopped = false;
  try {
    co_await query();
  } catch (const OperationCancelled &) {
    stopped = true;
  }
  if (stopped) {
    co_await note();
    co_yield folly::coro::co_stopped_may_throw;
  }
}

// Cleans up after any error; few of them are cancellations.
Task<> onFailure() {
  std::exception_ptr failed;
  try {
    co_await query();
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo();
    std::rethrow_exception(failed);
  }
}

//===----------------------------------------------------------------------===//
// A token passed by hand
//===----------------------------------------------------------------------===//

using cppcoro::cancellation_source;
using cppcoro::cancellation_token;
using cppcoro::operation_cancelled;
using cppcoro::task;
task<> fetch(cancellation_token);
task<> rollback(cancellation_token);
task<> rollback();

task<> sameToken(cancellation_token t) {
  std::exception_ptr stopped;
  try {
    co_await fetch(t);
  } catch (const operation_cancelled &) {
    stopped = std::current_exception();
  }
  if (stopped) {
    co_await rollback(t);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the token is still cancelled, so 'rollback' is cancelled at once [async-unshielded-cleanup]
    std::rethrow_exception(stopped);
  }
}

task<> noToken(cancellation_token t) {
  std::exception_ptr stopped;
  try {
    co_await fetch(t);
  } catch (const operation_cancelled &) {
    stopped = std::current_exception();
  }
  if (stopped) {
    co_await rollback();
    co_await rollback({});
    std::rethrow_exception(stopped);
  }
}

task<> otherToken(cancellation_token t, cancellation_token process) {
  std::exception_ptr stopped;
  try {
    co_await fetch(t);
  } catch (const operation_cancelled &) {
    stopped = std::current_exception();
  }
  if (stopped) {
    co_await rollback(process);
    cancellation_source own;
    co_await rollback(own.token());
    std::rethrow_exception(stopped);
  }
}

task<> whenAsked(cancellation_token t) {
  if (t.is_cancellation_requested()) {
    co_await rollback(t);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the token is still cancelled, so 'rollback' is cancelled at once [async-unshielded-cleanup]
    // CHECK-MESSAGES: :[[@LINE-3]]:7: note: the token was asked here
    throw operation_cancelled();
  }
  co_await fetch(t);
}
task<> notWhenAsked(cancellation_token t) {
  if (!t.is_cancellation_requested()) {
    co_await rollback(t);
    co_return;
  }
  co_await rollback();
}

seastar::future<> read(seastar::abort_source &);
seastar::future<> forget(seastar::abort_source &);
seastar::future<> forget();

seastar::future<> sameSource(seastar::abort_source &as) {
  std::exception_ptr stopped;
  try {
    co_await read(as);
  } catch (const seastar::abort_requested_exception &) {
    stopped = std::current_exception();
  }
  if (stopped) {
    co_await forget(as);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run: the token is still cancelled, so 'forget' is cancelled at once [async-unshielded-cleanup]
    std::rethrow_exception(stopped);
  }
}

// Its awaits do not react by themselves.
seastar::future<> noSource(seastar::abort_source &as) {
  std::exception_ptr failed;
  try {
    co_await read(as);
  } catch (...) {
    failed = std::current_exception();
  }
  co_await forget();
  if (failed)
    std::rethrow_exception(failed);
}
