// RUN: %check %s async-uncancellable-work-under-timeout

// Work that hears, or that no timeout is over.

#include "time/asio.h"
#include "time/folly.h"
#include "time/seastar.h"
#include <atomic>
#include <functional>
#include <stop_token>

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;
using Clock = std::chrono::steady_clock;

int render(int id);
int renderUntil(int id, Clock::time_point deadline);
int renderUnless(int id, std::stop_token stop);
int query(int id, std::chrono::milliseconds timeout);
bool step(int n);
folly::coro::Task<int> ask();

folly::coro::Task<int> noTimeout(folly::Executor *pool, int id) {
  co_return co_await folly::via(pool, [id] { return render(id); }).semi();
}

// A token, a deadline, a limit of its own, a flag.
folly::coro::Task<int> token(folly::Executor *pool, int id, std::stop_token stop) {
  co_return co_await timeout(
      folly::via(pool, [id, stop] { return renderUnless(id, stop); }).semi(), 1s);
}
folly::coro::Task<int> current(folly::Executor *pool, int id) {
  auto cancelled = co_await folly::coro::co_current_cancellation_token;
  co_return co_await timeout(folly::via(pool, [=] {
                               for (int n = 0;; ++n)
                                 if (cancelled.isCancellationRequested() || step(n))
                                   return id + n;
                             }).semi(),
                             1s);
}
folly::coro::Task<int> deadline(folly::Executor *pool, int id) {
  auto until = Clock::now() + 1s;
  co_return co_await timeout(
      folly::via(pool, [=] { return renderUntil(id, until); }).semi(), 1s);
}
folly::coro::Task<int> ownLimit(folly::Executor *pool, int id) {
  co_return co_await timeout(
      folly::via(pool, [id] { return query(id, 800ms); }).semi(), 1s);
}
folly::coro::Task<int> flag(folly::Executor *pool) {
  std::atomic<bool> enough{false};
  co_return co_await timeout(folly::via(pool, [&] {
                               int n = 0;
                               while (!enough)
                                 n += step(n);
                               return n;
                             }).semi(),
                             1s);
}
asio::awaitable<int> spawn_blocking(std::function<int()> run, std::function<void()> stop);
asio::awaitable<bool> stopHook(int id) {
  bool ended = false;
  asio::steady_timer timer(co_await asio::this_coro::executor, 1s);
  auto first = co_await (spawn_blocking([id] { return render(id); }, [&] { ended = true; }) ||
                         timer.async_wait(asio::use_awaitable));
  co_return first.index() == 0;
}

// Nothing that takes long.
folly::coro::Task<int> quick(folly::Executor *pool, int id) {
  co_return co_await timeout(folly::via(pool, [id] { return id + 1; }).semi(), 1s);
}

// Coroutines that wait, also on a pool; ones that are short.
folly::coro::Task<int> waits(folly::Executor *pool) {
  co_return co_await timeout(ask().scheduleOn(pool).start(), 1s);
}
static folly::coro::Task<int> several(folly::Executor *pool) {
  int n = co_await ask();
  co_return n + co_await folly::via(pool, [n] { return render(n); }).semi();
}
folly::coro::Task<int> partly(folly::Executor *pool) {
  co_return co_await timeout(several(pool), 1s);
}
static folly::coro::Task<int> constant() { co_return 42; }
static folly::coro::Task<int> counted() {
  int sum = 0;
  for (int n = 0; n < 8; ++n)
    sum += step(n);
  co_return sum;
}
static folly::coro::Task<int> asks(Clock::time_point until) {
  int n = 0;
  while (Clock::now() < until && !step(n))
    ++n;
  co_return n;
}
folly::coro::Task<int> shortOnes() {
  int n = co_await timeout(constant(), 1s);
  n += co_await timeout(counted(), 1s);
  co_return n + co_await timeout(asks(Clock::now() + 1s), 1s);
}

// Marked as work that must run to its end.
[[clang::annotate("async-tidy:commit")]] folly::coro::Task<int> commit(folly::Executor *pool) {
  co_return co_await folly::via(pool, [] { return render(0); }).semi();
}
folly::coro::Task<int> commits(folly::Executor *pool) {
  co_return co_await timeout(commit(pool), 1s);
}

// A future that is dropped with nothing of the caller's.
seastar::future<int> row();
seastar::future<int> rowUntil(seastar::lowres_clock::time_point until, int &into);
seastar::future<int> copies(const int &key);
seastar::future<int> dropped(int key) {
  int n = co_await seastar::with_timeout(seastar::lowres_clock::now() + 1s, row());
  n += co_await seastar::with_timeout(seastar::lowres_clock::now() + 1s, copies(key));
  auto until = seastar::lowres_clock::now() + 1s;
  co_return n + co_await seastar::with_timeout(until, rowUntil(until, n));
}
