// RUN: %check %s async-shielded-await-under-timeout

// A parameter marks the coroutine as a shield; the current token is none.

#include "time/flow.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::co_current_cancellation_token;
using folly::coro::co_withCancellation;

Future<int> store(int item);
folly::coro::Task<int> charge(int cents);

Future<int> commit(int item, Uncancellable) { co_return co_await store(item); }
Future<int> commitByDefault(int item, Uncancellable = {}) {
  co_return co_await store(item);
}
Future<int> marked() {
  co_return co_await timeoutError(commit(1, Uncancellable()), 1.0);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: {{.*}}'commit' keeps
}
Future<int> markedByDefault() {
  co_return co_await timeoutError(commitByDefault(1), 1.0);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: {{.*}}'commitByDefault' keeps
}
Future<int> unmarked() { co_return co_await timeoutError(store(1), 1.0); }

// Taken inside the limited coroutine it is the timeout's own.
folly::coro::Task<int> current(int cents) {
  auto token = co_await co_current_cancellation_token;
  co_return co_await co_withCancellation(token, charge(cents));
}
folly::coro::Task<int> merged(int cents, folly::CancellationToken stop) {
  auto token = folly::cancellation_token_merge(
      co_await co_current_cancellation_token, stop);
  co_return co_await co_withCancellation(token, charge(cents));
}
folly::coro::Task<int> heard(folly::CancellationToken stop) {
  int sum = co_await folly::coro::timeout(current(1), 1s);
  co_return sum + co_await folly::coro::timeout(merged(1, stop), 1s);
}

// Taken outside it is not.
folly::coro::Task<int> unheard() {
  auto token = co_await co_current_cancellation_token;
  co_return co_await folly::coro::timeout(
      // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this timeout of 1 s cannot end the wait
      co_withCancellation(token, charge(1)), 1s);
}
