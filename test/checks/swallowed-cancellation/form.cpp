// RUN: %check %s async-swallowed-cancellation

// Macros, templates, lambdas, NOLINT.

#include "cancellation/folly.h"
#include "cancellation/seastar.h"

folly::coro::Task<int> fetch();
template <class T> folly::coro::Task<T> fetchAs();

#define LOG_AND_GO_ON                                                          \
  catch (...) {                                                                \
  }
folly::coro::Task<> fromMacro() try {
  co_await fetch();
}
LOG_AND_GO_ON
// CHECK-MESSAGES: :[[@LINE-1]]:1: warning: 'catch (...)' swallows cancellation

// Reported once, however many instances there are; never for the pattern.
template <class T> folly::coro::Task<T> instantiated(T other) {
  try {
    co_return co_await fetchAs<T>();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets 'other'
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    co_return other;
  }
}
template folly::coro::Task<int> instantiated(int);
template folly::coro::Task<long> instantiated(long);

template <class T> folly::coro::Task<T> neverInstantiated(T other) {
  try {
    co_return co_await fetchAs<T>();
  } catch (...) {
    co_return other;
  }
}

auto lambda = [](int other) -> folly::coro::Task<int> {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets 'other'
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    co_return other;
  }
};

folly::coro::Task<int> silenced() {
  try {
    co_return co_await fetch();
  } catch (...) { // NOLINT(async-swallowed-cancellation)
    co_return 0;
  }
}

folly::coro::Task<int> silencedNext() {
  try {
    co_return co_await fetch();
    // NOLINTNEXTLINE(async-*)
  } catch (...) {
    co_return 0;
  }
}
