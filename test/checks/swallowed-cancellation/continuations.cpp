// RUN: %check %s async-swallowed-cancellation

// Handlers that are given to a continuation.

#include "cancellation/folly.h"
#include "cancellation/seastar.h"

seastar::logger logger;
seastar::future<> work(seastar::abort_source &as);

seastar::future<> logsOutcome(seastar::abort_source &as) {
  co_await work(as).then_wrapped([](seastar::future<> f) {
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'then_wrapped' swallows cancellation: the coroutine goes on
    try {
      f.get();
    } catch (...) {
      logger.error("failed", std::current_exception());
    }
  });
}

seastar::future<> logsException(seastar::abort_source &as) {
  co_await work(as).handle_exception([](std::exception_ptr e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'handle_exception' swallows cancellation
    logger.error("failed", e);
  });
}

void forget(std::exception_ptr) {}
seastar::future<> namedFunction(seastar::abort_source &as) {
  co_await work(as).handle_exception(forget);
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'handle_exception' swallows cancellation
}

// A function that only returns the future is asynchronous, too.
seastar::future<> noCoroutine(seastar::abort_source &as) {
  return work(as).handle_exception([](std::exception_ptr) {});
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'handle_exception' swallows cancellation
}

seastar::future<> typed(seastar::abort_source &as) {
  co_await work(as).handle_exception_type([](seastar::abort_requested_exception &) {});
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'handle_exception_type' swallows cancellation
}

// A held exception that is answered with a value is swallowed as well.
folly::coro::Task<int> fetch();
folly::coro::Task<int> answersFailure() {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'co_awaitTry' swallows cancellation: the caller gets '0'
  if (result.hasException())
    co_return 0;
  co_return result.value();
}

//===--- What must stay silent --------------------------------------------===//

seastar::future<> otherType(seastar::abort_source &as) {
  co_await work(as).handle_exception_type([](seastar::timed_out_error &) {});
}

seastar::future<> passesOn(seastar::abort_source &as) {
  co_await work(as).handle_exception([](std::exception_ptr e) {
    logger.error("failed", e);
    return seastar::make_exception_future<>(e);
  });
}

seastar::future<> rethrows(seastar::abort_source &as) {
  co_await work(as).then_wrapped([](seastar::future<> f) { f.get(); });
}

seastar::future<> closes(seastar::output_stream &out, seastar::abort_source &as) {
  co_await out.close().handle_exception([](std::exception_ptr) {});
  co_await out.close().handle_exception([](auto &&) {});
}

seastar::future<> detached(seastar::abort_source &as) {
  (void)work(as).handle_exception([](std::exception_ptr) {});
  co_return;
}

folly::coro::Task<int> answersOtherFailures() {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  if (result.hasException()) {
    if (result.exception().is_compatible_with<folly::OperationCancelled>())
      co_yield folly::coro::co_error(result.exception());
    co_return 0;
  }
  co_return result.value();
}

// Named, it is expected, wherever it comes from.
struct Client {
  seastar::future<> send();
  seastar::future<> put() {
    return send().handle_exception_type(
        // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'handle_exception_type' swallows cancellation
        [](const seastar::abort_requested_exception &) {
          return seastar::make_ready_future<>();
        });
  }
  seastar::future<> putOn() {
    return send().handle_exception_type(
        [](const seastar::abort_requested_exception &e) {
          return seastar::make_exception_future<>(e);
        });
  }
};
