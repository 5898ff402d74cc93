// Waiting for asynchronous work, and what is proven to be there already.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <future>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>
using namespace std::chrono_literals;

cppcoro::task<int> plan();
cppcoro::task<int> syncs() {
  int n = cppcoro::sync_wait(plan());
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'cppcoro::sync_wait' waits for async work and holds up the event loop's thread: deadlock if that work needs this thread; use 'co_await
  n += cppcoro::sync_wait([]() -> cppcoro::task<int> { co_return 1; }());
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'cppcoro::sync_wait' waits
  co_return n + co_await plan();
}

seastar::future<int> ask();
seastar::future<int> gets() {
  auto early = ask();
  // CHECK-MESSAGES: :[[@LINE+1]]:19: warning: 'seastar::future::get' waits for async work
  int n = early . get();
  co_return n;
}

// Proven ready.
seastar::future<int> ready() {
  auto f = co_await seastar::coroutine::as_future(ask());
  if (f.failed())
    co_return 0;
  co_return f.get();
}

own::task<int> tested(own::future<int> a, std::future<int> b,
                      std::future<int> &c, std::future<int> d) {
  int n = 0;
  if (b.wait_for(0s) == std::future_status::ready)
    n += b.get();
  while (c.wait_for(0s) != std::future_status::ready)
    co_await own::io();
  n += c.get();
  if (d.wait_for(0s) == std::future_status::timeout)
    co_return n;
  n += d.get();
  co_return n;
}

// Tested, and waited for all the same.
own::task<int> wrongly(std::future<int> a, std::future<int> b, bool hurry) {
  int n = 0;
  if (a.wait_for(0s) != std::future_status::ready)
    n = a.get();
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'std::future::get' blocks
  if (hurry && b.wait_for(0s) == std::future_status::ready)
    co_await own::io();
  n += b.get();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'std::future::get' blocks
  co_return n;
}

own::task<> until(std::shared_future<int> &);
own::task<int> awaited(std::shared_future<int> f, std::shared_future<int> g,
                       bool now) {
  co_await until(f);
  if (!now)
    co_await until(g);
  int n = f.get();
  n += g.get();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'std::shared_future::get' blocks
  co_return n;
}

// A helper that waits for what it is given.
int result(std::shared_future<int> &f) { return f.get(); }
own::task<int> lends(std::shared_future<int> f, std::shared_future<int> g) {
  co_await until(f);
  int n = result(f);
  n += result(g);
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'result' ends up in 'std::shared_future::get', which blocks
  co_return n;
}

// None of these waits.
own::task<int> others(std::weak_ptr<int> weak, std::unique_ptr<int> owner,
                      std::tuple<int, char> both, std::future<int> f) {
  auto shared = weak.lock();
  int n = *owner.get() + std::get<0>(both) + f.valid();
  f.wait_for(0ms);
  f.wait_for(std::chrono::seconds::zero());
  co_return n + (shared ? *shared : 0);
}

// Only in a coroutine.
int bridge() { return cppcoro::sync_wait(plan()); }
