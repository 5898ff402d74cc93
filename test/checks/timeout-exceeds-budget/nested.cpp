// RUN: %check %s async-timeout-exceeds-budget

// One limit that is longer than the one around it.

#include "time/asio.h"
#include "time/flow.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;

folly::coro::Task<int> ask();
asio::awaitable<int> download();

folly::coro::Task<int> oneExpression() {
  co_return co_await timeout(timeout(ask(), 5s), 2s);
  // CHECK-NOTES: :[[@LINE-1]]:30: warning: this limit of 5 s never runs out: the limit around it ends the wait after 2 s [async-timeout-exceeds-budget]
  // CHECK-NOTES: :[[@LINE-2]]:22: note: the limit around it
}

// Through the functions in between, with the constants of both.
constexpr auto attemptLimit = 30s;
enum { wholeSeconds = 5 };
static folly::coro::Task<int> attempt() {
  co_return co_await timeout(ask(), attemptLimit);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this limit of 30 s never runs out: the limit around it ends the wait after 5 s
  // CHECK-NOTES: :[[@LINE+9]]:22: note: the limit around it
  // CHECK-NOTES: :[[@LINE-5]]:8: note: 'wholeSeconds' is 5
  // CHECK-NOTES: :[[@LINE+4]]:31: note: it runs 'between'
  // CHECK-NOTES: :[[@LINE-6]]:31: note: it runs 'attempt'
  // CHECK-NOTES: :[[@LINE-9]]:16: note: 'attemptLimit' is 30 s
}
static folly::coro::Task<int> between() { return attempt(); }
folly::coro::Task<int> whole() {
  // The call follows.
  co_return co_await timeout(between(), std::chrono::seconds(wholeSeconds));
}

// The time is a parameter, the caller says how long.
static folly::coro::Task<int> patient(std::chrono::milliseconds time) {
  co_return co_await timeout(ask(), time);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this limit of 3 s never runs out: the limit around it ends the wait after 1.5 s
  // CHECK-NOTES: :[[@LINE+4]]:22: note: the limit around it
  // CHECK-NOTES: :[[@LINE-4]]:31: note: it runs 'patient'
}
folly::coro::Task<int> hurried() {
  co_return co_await timeout(patient(3000ms), 1500ms);
}

// Completion tokens: on one call, and on two levels.
asio::awaitable<std::size_t> twoTokens(asio::socket &s, char *to) {
  co_return co_await s.async_read_some(
      to, asio::cancel_after(2s, asio::cancel_after(10s, asio::use_awaitable)));
  // CHECK-NOTES: :[[@LINE-1]]:34: warning: this limit of 10 s never runs out: the limit around it ends the wait after 2 s
  // CHECK-NOTES: :[[@LINE-2]]:11: note: the limit around it
}
asio::awaitable<std::size_t> reply(asio::socket &s, char *to) {
  co_return co_await s.async_read_some(to, asio::cancel_after(30s, asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:44: warning: this limit of 30 s never runs out: the limit around it ends the wait after 5 s
  // CHECK-NOTES: :[[@LINE+6]]:31: note: the limit around it
  // CHECK-NOTES: :[[@LINE-4]]:30: note: it runs 'reply'
}
asio::awaitable<std::size_t> handle(asio::socket &s, char *to) {
  auto executor = co_await asio::this_coro::executor;
  co_return co_await asio::co_spawn(
      executor, reply(s, to), asio::cancel_after(5s, asio::use_awaitable));
}

// Races with timers.
asio::awaitable<bool> timed() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 10s);
  auto first = co_await (download() || timer.async_wait(asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:26: warning: this limit of 10 s never runs out: the limit around it ends the wait after 3 s
  // CHECK-NOTES: :[[@LINE+8]]:26: note: the limit around it
  // CHECK-NOTES: :[[@LINE-5]]:23: note: it runs 'timed'
  co_return first.index() == 0;
}
asio::awaitable<bool> race() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(3s);
  // The wait:
  auto first = co_await (timed() || timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}

// Plain numbers of seconds.
Future<int> controller();
Future<int> part() { co_return co_await timeoutError(controller(), 5.0); }
// CHECK-NOTES: :[[@LINE-1]]:41: warning: this limit of 5 s never runs out: the limit around it ends the wait after 2 s
// CHECK-NOTES: :[[@LINE+2]]:43: note: the limit around it
// CHECK-NOTES: :[[@LINE-3]]:13: note: it runs 'part'
Future<int> status() { co_return co_await timeoutError(part(), 2.0); }

// Points in time, computed where they are used or just before.
seastar::future<int> row();
seastar::future<int> slowRow() {
  auto until = seastar::lowres_clock::now() + 10s;
  co_return co_await seastar::with_timeout(until, row());
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this limit of 10 s never runs out: the limit around it ends the wait after 4 s
  // CHECK-NOTES: :[[@LINE+5]]:22: note: the limit around it
  // CHECK-NOTES: :[[@LINE-5]]:22: note: it runs 'slowRow'
  // CHECK-NOTES: :[[@LINE-5]]:8: note: 'until' is 10 s
}
seastar::future<int> quickRow() {
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 4s, slowRow());
}

// A limit as an argument of what is called.
folly::coro::Task<int> request(int id, std::chrono::milliseconds timeout);
folly::coro::Task<int> argument() {
  co_return co_await timeout(request(1, 60s), 10s);
  // CHECK-NOTES: :[[@LINE-1]]:41: warning: this limit of 60 s never runs out: the limit around it ends the wait after 10 s
  // CHECK-NOTES: :[[@LINE-2]]:22: note: the limit around it
}

// The longest of several things side by side; either branch.
folly::coro::Task<int> sideBySide() {
  co_return co_await timeout(
      folly::coro::collectAll(timeout(ask(), 1s),
                              timeout(ask(), 9s)),
      // CHECK-NOTES: :[[@LINE-1]]:31: warning: this limit of 9 s never runs out: the limit around it ends the wait after 5 s
      // CHECK-NOTES: :[[@LINE-4]]:22: note: the limit around it
      5s);
}
static folly::coro::Task<int> branches(bool cold) {
  if (cold)
    co_return co_await timeout(ask(), 8s);
  // CHECK-NOTES: :[[@LINE-1]]:24: warning: this limit of 8 s never runs out: the limit around it ends the wait after 5 s
  // CHECK-NOTES: :[[@LINE+5]]:22: note: the limit around it
  // CHECK-NOTES: :[[@LINE-5]]:31: note: it runs 'branches'
  co_return co_await timeout(ask(), 1s);
}
folly::coro::Task<int> eitherBranch(bool cold) {
  co_return co_await timeout(branches(cold), 5s);
}

// As long as the one around it is too long as well.
folly::coro::Task<int> equal() {
  co_return co_await timeout(timeout(ask(), 2s), 2000ms);
  // CHECK-NOTES: :[[@LINE-1]]:30: warning: this limit of 2 s never runs out
  // CHECK-NOTES: :[[@LINE-2]]:22: note: the limit around it
}

// A value that callers or the configuration may change.
struct Client {
  std::chrono::seconds perCall = 20s;
  folly::coro::Task<int> get() {
    co_return co_await timeout(timeout(ask(), perCall), 10s);
    // CHECK-NOTES: :[[@LINE-1]]:32: warning: by default this limit of 20 s never runs out
    // CHECK-NOTES: :[[@LINE-2]]:24: note: the limit around it
    // CHECK-NOTES: :[[@LINE-5]]:24: note: 'perCall' is 20 s by default
  }
};

// Of a range the shortest counts.
folly::coro::Task<int> range(bool far) {
  auto limit = far ? 20s : 10s;
  co_await timeout(timeout(ask(), far ? 20s : 2s), 5s);
  co_return co_await timeout(timeout(ask(), limit), 5s);
  // CHECK-NOTES: :[[@LINE-1]]:30: warning: this limit of at least 10 s never runs out: the limit around it ends the wait after 5 s
  // CHECK-NOTES: :[[@LINE-2]]:22: note: the limit around it
}
