// RUN: %check %s async-shielded-await-under-timeout

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::co_withCancellation;
using folly::coro::timeout;

folly::coro::Task<int> charge(int cents);
folly::coro::Task<int> store(int &into);
asio::awaitable<int> download();
asio::awaitable<int> upload();

folly::coro::Task<int> emptyToken() {
  co_return co_await timeout(co_withCancellation({}, charge(1)), 800ms);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 800 ms cannot end the wait before the work ends: 'co_withCancellation' keeps its cancellation away [async-shielded-await-under-timeout]
  // CHECK-NOTES: :[[@LINE-2]]:30: note: the shield is here; a timeout inside it would limit the work
}

folly::coro::Task<int> otherToken(folly::CancellationSource &other) {
  co_return co_await timeout(co_withCancellation(other.getToken(), charge(1)), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 1 s cannot end the wait before the work ends
  // CHECK-NOTES: :[[@LINE-2]]:30: note: the shield is here
}

// The work outlives the call, and with it what it refers to.
folly::coro::Task<int> detaches() {
  int result = 0;
  co_return co_await timeout(folly::coro::detachOnCancel(store(result)), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the caller gives up after 1 s, but 'detachOnCancel' keeps the cancellation from the work, which goes on unseen
  // CHECK-NOTES: :[[@LINE-2]]:30: note: the shield is here
  // CHECK-NOTES: :[[@LINE-3]]:58: note: the work refers to 'result' of this frame, which it may outlive
}

folly::coro::Task<int> startedHandle(folly::Executor *executor) {
  constexpr auto limit = 250ms;
  co_return co_await timeout(charge(1).scheduleOn(executor).start(), limit);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the caller gives up after 250 ms, but 'start' keeps the cancellation from the work
  // CHECK-NOTES: :[[@LINE-3]]:18: note: 'limit' is 250 ms
  // CHECK-NOTES: :[[@LINE-3]]:30: note: the shield is here
}

folly::coro::Task<int> throughAVariable(std::chrono::seconds limit) {
  auto work = co_withCancellation({}, charge(1));
  co_return co_await timeout(std::move(work), limit);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 'limit' cannot end the wait
  // CHECK-NOTES: :[[@LINE-3]]:15: note: the shield is here
}

asio::awaitable<bool> raceArm() {
  auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, 2s);
  auto first = co_await (
      asio::co_spawn(executor, download(),
                     // CHECK-NOTES: :[[@LINE-1]]:7: warning: this timeout of 2 s cannot end the wait before the work ends: 'bind_cancellation_slot' keeps
                     // CHECK-NOTES: :[[@LINE+1]]:22: note: the shield is here
                     asio::bind_cancellation_slot(asio::cancellation_slot(),
                                                  asio::use_awaitable)) ||
      timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}

// "No cancellation from here on", in what the timeout runs.
asio::awaitable<int> uninterrupted() {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_return co_await download();
}
asio::awaitable<bool> statement() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 2s);
  auto first = co_await (uninterrupted() || timer.async_wait(asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:26: warning: this timeout of 2 s cannot end the wait before the work ends: 'reset_cancellation_state' keeps its cancellation away
  // CHECK-NOTES: :[[@LINE-8]]:22: note: it runs 'uninterrupted'
  // CHECK-NOTES: :[[@LINE-8]]:12: note: the shield is here
  co_return first.index() == 0;
}

// Under a completion token.
asio::awaitable<int> token() {
  co_return co_await asio::co_spawn(
      co_await asio::this_coro::executor, uninterrupted(),
      asio::cancel_after(3s, asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:7: warning: this timeout of 3 s cannot end the wait
  // CHECK-NOTES: :[[@LINE-19]]:22: note: it runs 'uninterrupted'
  // CHECK-NOTES: :[[@LINE-19]]:12: note: the shield is here
}
