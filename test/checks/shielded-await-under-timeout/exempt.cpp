// RUN: %check %s async-shielded-await-under-timeout

// Shields that are right, or that no timeout is over.

#include "time/asio.h"
#include "time/folly.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::co_withCancellation;
using folly::coro::timeout;

folly::coro::Task<int> charge(int cents);
folly::coro::Task<int> release();
asio::awaitable<int> download();
asio::awaitable<int> write();

// A limit of its own, inside.
folly::coro::Task<int> innerTimeout() {
  co_return co_await timeout(
      co_withCancellation({}, timeout(charge(1), 300ms)), 1s);
}
folly::coro::Task<int> commit() {
  co_return co_await co_withCancellation({}, timeout(charge(1), 300ms));
}
folly::coro::Task<int> innerTimeoutInCallee() {
  co_return co_await timeout(commit(), 1s);
}
folly::coro::Task<int> limitedCharge() { co_return co_await timeout(charge(1), 300ms); }
folly::coro::Task<int> shieldOverLimited() {
  co_return co_await timeout(co_withCancellation({}, limitedCharge()), 1s);
}
asio::awaitable<void> commitAsio() {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  asio::steady_timer limit(co_await asio::this_coro::executor, 300ms);
  co_await (write() || limit.async_wait(asio::use_awaitable));
}
asio::awaitable<int> downloadAndCommit() {
  int n = co_await download();
  co_await commitAsio();
  co_return n;
}
asio::awaitable<bool> rightShape() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 2s);
  auto first =
      co_await (downloadAndCommit() || timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}

// No timeout around, or the shield around the timeout.
folly::coro::Task<int> noTimeout() {
  co_return co_await co_withCancellation({}, charge(1));
}
folly::coro::Task<int> shieldOutside() {
  co_return co_await co_withCancellation({}, timeout(charge(1), 1s));
}

// The ambient token, or one merged with it.
folly::coro::Task<int> sameToken() {
  co_return co_await timeout(
      co_withCancellation(co_await folly::coro::co_current_cancellation_token,
                          charge(1)),
      1s);
}
folly::coro::Task<int> merged(folly::CancellationToken a, folly::CancellationToken b) {
  co_return co_await timeout(
      co_withCancellation(folly::cancellation_token_merge(a, b), charge(1)), 1s);
}

// Marked as work that must run to its end.
[[clang::annotate("async-tidy:commit")]] folly::coro::Task<int> pay();
folly::coro::Task<int> marked() {
  co_return co_await timeout(co_withCancellation({}, pay()), 1s);
}
[[clang::annotate("async-tidy:commit")]] folly::coro::Task<int> payAll() {
  co_return co_await co_withCancellation({}, charge(1));
}
folly::coro::Task<int> markedCaller() { co_return co_await timeout(payAll(), 1s); }

// Cleaning up after a failure, also after a cancellation.
struct Connection {
  folly::coro::Task<void> close();
};
folly::coro::Task<void> closes(Connection &c) {
  co_await timeout(co_withCancellation({}, c.close()), 1s);
}
folly::coro::Task<int> cleansUp() {
  std::exception_ptr failure;
  int result = 0;
  try {
    result = co_await charge(1);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await co_withCancellation({}, release());
  if (failure)
    std::rethrow_exception(failure);
  co_return result;
}
folly::coro::Task<int> cleanupUnderTimeout() {
  co_return co_await timeout(cleansUp(), 1s);
}

// The shield ends before the slow part.
asio::awaitable<int> shortShield() {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return co_await download();
}
asio::awaitable<bool> shortShieldUnderTimeout() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 2s);
  auto first = co_await (shortShield() || timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}

// Plain work that hears its timeout.
asio::awaitable<bool> plain() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 2s);
  auto first = co_await (download() || timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}
