// RUN: %check %s async-uncancellable-work-under-timeout

#include "time/asio.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;

int render(int id);
int hash(const char *text);
bool step(int n);

// The timeout waits for the work: it is late.
folly::coro::Task<int> late(folly::CPUThreadPoolExecutor &pool, int id) {
  co_return co_await timeout(folly::via(&pool, [id] { return render(id); }).semi(), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 1 s is late: 'via' runs the work on another thread, where nothing tells it to stop, and the wait lasts until it ends [async-uncancellable-work-under-timeout]
  // CHECK-NOTES: :[[@LINE-2]]:30: note: the work is handed over here; give it a token or a deadline to ask
}

// It does not: the work goes on, and refers to what is gone.
folly::coro::Task<int> leaks(folly::CPUThreadPoolExecutor &pool) {
  int pages = 3;
  co_return co_await folly::via(&pool, [&] { return render(pages); }).semi().within(500ms);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: after 500 ms the caller goes on, but so does the work: 'via' runs it on another thread, where nothing tells it to stop
  // CHECK-NOTES: :[[@LINE-2]]:22: note: the work is handed over here
  // CHECK-NOTES: :[[@LINE-3]]:40: note: the work refers to 'pages' of this frame, which it may outlive
}

// A variable in between.
folly::coro::Task<int> throughAVariable(folly::CPUThreadPoolExecutor &pool, int id) {
  auto work = folly::via(&pool, [id] { return render(id); });
  co_return co_await timeout(std::move(work).semi(), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 1 s is late: 'via' runs the work on another thread
  // CHECK-NOTES: :[[@LINE-3]]:15: note: the work is handed over here
}

// Through a coroutine of one's own, with the constant's line.
constexpr auto renderLimit = 2s;
static folly::coro::Task<int> onPool(folly::Executor *pool, int id) {
  auto done = folly::via(pool, [id] { return render(id); }).semi();
  co_return co_await std::move(done);
}
folly::coro::Task<int> throughACoroutine(folly::Executor *pool) {
  co_return co_await timeout(onPool(pool, 1), renderLimit);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 2 s is late: 'via' runs the work on another thread
  // CHECK-NOTES: :[[@LINE-8]]:16: note: 'renderLimit' is 2 s
  // CHECK-NOTES: :[[@LINE-8]]:31: note: it runs 'onPool'
  // CHECK-NOTES: :[[@LINE-8]]:15: note: the work is handed over here
}

// A helper of one's own that runs things on a pool.
template <class F> folly::coro::Task<int> offloaded(folly::Executor *pool, F work) {
  co_return co_await folly::via(pool, std::move(work)).semi();
}
folly::coro::Task<int> throughAHelper(folly::Executor *pool, int id) {
  co_return co_await timeout(offloaded(pool, [id] { return render(id); }), 1s);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 1 s is late: 'via' runs the work on another thread
  // CHECK-NOTES: :[[@LINE-6]]:43: note: it runs 'offloaded'
  // CHECK-NOTES: :[[@LINE-6]]:22: note: the work is handed over here
}

// A function whose name says where it runs its callable.
namespace web {
template <class F> asio::awaitable<int> run_in_thread_pool(F work) { throw work; }
}
asio::awaitable<bool> byName(int id) {
  asio::steady_timer timer(co_await asio::this_coro::executor, 1s);
  auto first = co_await (web::run_in_thread_pool([id] { return render(id); }) ||
                         timer.async_wait(asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-2]]:26: warning: this timeout of 1 s is late: 'run_in_thread_pool' runs the work on another thread
  // CHECK-NOTES: :[[@LINE-3]]:26: note: the work is handed over here
  co_return first.index() == 0;
}

// A coroutine that goes to a pool and computes there.
static asio::awaitable<int> hashOn(asio::thread_pool &pool, const char *text) {
  co_await asio::post(asio::bind_executor(pool.get_executor(), asio::use_awaitable));
  co_return hash(text);
}
asio::awaitable<bool> moves(asio::thread_pool &pool) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(250ms);
  auto first = co_await (hashOn(pool, "x") || timer.async_wait(asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:26: warning: this timeout of 250 ms is late: 'hashOn' awaits nothing in which it could be cancelled, and runs to its end
  // CHECK-NOTES: :[[@LINE-9]]:29: note: it runs 'hashOn'
  co_return first.index() == 0;
}
asio::awaitable<int> spawned(asio::thread_pool &pool) {
  auto work = [](int id) -> asio::awaitable<int> { co_return render(id); };
  co_return co_await asio::co_spawn(
      pool.get_executor(), work(3), asio::cancel_after(5s, asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:37: warning: this timeout of 5 s is late: the lambda awaits nothing in which it could be cancelled
  // CHECK-NOTES: :[[@LINE-4]]:15: note: it runs this lambda
}

// A loop nobody counts, and not one await in it.
static folly::coro::Task<int> search(int from) {
  int n = from;
  while (!step(n))
    ++n;
  co_return n;
}
folly::coro::Task<int> computes(std::chrono::seconds limit) {
  co_return co_await timeout(search(1), limit);
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: this timeout of 'limit' is late: 'search' awaits nothing in which it could be cancelled
  // CHECK-NOTES: :[[@LINE-9]]:31: note: it runs 'search'
}

// The call is dropped with what it was given.
seastar::future<int> transmit(int n, seastar::semaphore_units<> memory);
seastar::future<int> holds(seastar::semaphore_units<> memory) {
  auto deadline = seastar::lowres_clock::now() + 1s;
  co_return co_await seastar::with_timeout(deadline, transmit(1, std::move(memory)));
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: after 1 s the caller goes on, but the work is not told: it goes on unseen and holds 'memory'
  // CHECK-NOTES: :[[@LINE-3]]:8: note: 'deadline' is 1 s
}
seastar::future<int> row();
static seastar::future<int> fill(int &sum) {
  sum += co_await row();
  co_return sum;
}
seastar::future<int> refers() {
  int sum = 0;
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 2s, fill(sum));
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: after 2 s the caller goes on, but the work is not told: it goes on unseen and refers to 'sum'
}
