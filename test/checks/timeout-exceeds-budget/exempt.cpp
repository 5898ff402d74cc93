// RUN: %check %s async-timeout-exceeds-budget

// Limits that fit, or that nobody can add up.

#include "time/asio.h"
#include "time/flow.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using folly::coro::timeout;
using Clock = std::chrono::steady_clock;

folly::coro::Task<int> ask();
seastar::future<int> row();
std::chrono::milliseconds configured();

folly::coro::Task<int> fits() {
  co_return co_await timeout(timeout(ask(), 2s), 5s);
}

// Unknown times are unknown.
folly::coro::Task<int> unknownInner(std::chrono::milliseconds inner) {
  co_return co_await timeout(timeout(ask(), inner), 1s);
}
folly::coro::Task<int> unknownOuter(std::chrono::milliseconds outer) {
  co_return co_await timeout(timeout(ask(), 30s), outer);
}
folly::coro::Task<int> fromConfiguration() {
  co_return co_await timeout(timeout(ask(), configured()), 1s);
}
folly::coro::Task<int> atMost(std::chrono::milliseconds inner) {
  co_return co_await timeout(
      timeout(ask(), std::min<std::chrono::milliseconds>(10s, inner)), 1s);
}

// What is left until a deadline.
folly::coro::Task<int> remainder() {
  const auto deadline = Clock::now() + 10s;
  co_await timeout(ask(), deadline - Clock::now());
  co_return co_await timeout(timeout(ask(), deadline - Clock::now()), 2s);
}
seastar::future<int> rowUntil(seastar::lowres_clock::time_point deadline) {
  co_return co_await seastar::with_timeout(deadline, row());
}
seastar::future<int> oneDeadline() {
  auto deadline = seastar::lowres_clock::now() + 5s;
  co_return co_await seastar::with_timeout(deadline, rowUntil(deadline));
}
static seastar::future<int> twoRows() {
  auto deadline = seastar::lowres_clock::now() + 5s;
  int first = co_await seastar::with_timeout(deadline, row());
  co_return first + co_await seastar::with_timeout(deadline, row());
}
seastar::future<int> sharedDeadline() {
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 8s, twoRows());
}
Future<int> controller();
static Future<int> numberDeadline(double deadline) {
  co_return co_await timeoutError(controller(), deadline - now());
}
Future<int> numbers() {
  co_return co_await timeoutError(numberDeadline(now() + 5.0), 2.0);
}

// Branches that exclude each other, and work side by side.
static folly::coro::Task<int> eitherOr(bool cached) {
  if (cached)
    co_return co_await timeout(ask(), 2s);
  co_return co_await timeout(ask(), 2s);
}
folly::coro::Task<int> excluding(bool cached) {
  co_return co_await timeout(eitherOr(cached), 3s);
}
static folly::coro::Task<int> perKind(int kind) {
  int result = 0;
  switch (kind) {
  case 0:
    result = co_await timeout(ask(), 2s);
    break;
  case 1:
    result = co_await timeout(ask(), 2s);
    break;
  default:
    result = kind > 7 ? co_await timeout(ask(), 2s) : co_await timeout(ask(), 1s);
  }
  co_return result;
}
folly::coro::Task<int> switched(int kind) {
  co_return co_await timeout(perKind(kind), 3s);
}
folly::coro::Task<int> together() {
  co_return co_await timeout(
      folly::coro::collectAll(timeout(ask(), 2s), timeout(ask(), 2s)), 3s);
}
// Started before it is awaited.
static seastar::future<int> started() {
  auto a = seastar::with_timeout(seastar::lowres_clock::now() + 2s, row());
  auto b = seastar::with_timeout(seastar::lowres_clock::now() + 2s, row());
  int first = co_await std::move(a);
  co_return first + co_await std::move(b);
}
seastar::future<int> startedTogether() {
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 3s, started());
}
// The first to end ends the race.
folly::coro::Task<int> raced() {
  co_return co_await timeout(
      folly::coro::collectAny(timeout(ask(), 20s), ask()), 3s);
}
// The inner one already fits.
folly::coro::Task<int> shortWork() {
  co_return co_await timeout(timeout(timeout(ask(), 1s), 5s), 2s);
}

// A retry whose last attempt may begin; one that is cut by a deadline.
static folly::coro::Task<int> threeAttempts() {
  for (int i = 0; i < 3; ++i)
    try {
      co_return co_await timeout(ask(), 1s);
    } catch (const folly::FutureTimeout &) {
    }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> boundedRetry() {
  co_return co_await timeout(threeAttempts(), 2500ms);
}
static folly::coro::Task<int> untilDeadline(Clock::time_point deadline) {
  for (int i = 0; i < 10; ++i) {
    auto left = deadline - Clock::now();
    if (left <= 0s)
      break;
    try {
      co_return co_await timeout(ask(), std::min<Clock::duration>(1s, left));
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}
folly::coro::Task<int> cutRetry() {
  co_return co_await timeout(untilDeadline(Clock::now() + 2s), 2s);
}
// Nobody counts how often it comes again.
folly::coro::Task<bool> more();
static folly::coro::Task<int> stream() {
  int n = 0;
  while (co_await timeout(more(), 1s))
    ++n;
  co_return n;
}
folly::coro::Task<int> streamed() { co_return co_await timeout(stream(), 10s); }

// Also used where it has the time.
static folly::coro::Task<int> sharedStep() {
  co_return co_await timeout(ask(), 30s);
}
folly::coro::Task<int> online() { co_return co_await timeout(sharedStep(), 5s); }
folly::coro::Task<int> batch() { co_return co_await sharedStep(); }

static folly::coro::Task<int> otherStep() {
  co_return co_await timeout(ask(), 30s);
}
folly::coro::Task<int> briefly() { co_return co_await timeout(otherStep(), 5s); }
folly::coro::Task<int> atLength() { co_return co_await timeout(otherStep(), 60s); }

// One constant for both.
constexpr auto limit = 3s;
folly::coro::Task<int> sameConstant() {
  co_return co_await timeout(timeout(ask(), limit), limit);
}

// A connection may be idle for longer than a request may take; what tidies up
// and what must run to its end has its own time.
constexpr auto idleTimeout = 60s;
asio::awaitable<std::size_t> session(asio::socket &s, char *to) {
  auto executor = co_await asio::this_coro::executor;
  auto read = [&]() -> asio::awaitable<std::size_t> {
    co_return co_await s.async_read_some(
        to, asio::cancel_after(idleTimeout, asio::use_awaitable));
  };
  co_return co_await asio::co_spawn(executor, read(),
                                    asio::cancel_after(5s, asio::use_awaitable));
}
struct Connection {
  folly::coro::Task<int> close() { co_return co_await timeout(ask(), 10s); }
};
folly::coro::Task<int> closes(Connection &c) {
  co_return co_await timeout(c.close(), 5s);
}
[[clang::annotate("async-tidy:commit")]] folly::coro::Task<int> pay() {
  co_return co_await timeout(ask(), 10s);
}
folly::coro::Task<int> pays() { co_return co_await timeout(pay(), 5s); }
folly::coro::Task<int> shielded() {
  co_return co_await timeout(
      folly::coro::co_withCancellation({}, timeout(ask(), 10s)), 5s);
}

// Only time passes.
folly::coro::Task<void> onlySleeps() {
  co_await timeout(folly::coro::sleep(10s), 1s);
}
