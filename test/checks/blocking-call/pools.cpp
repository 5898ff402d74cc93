// Where the coroutine itself runs.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <functional>
#include <memory>
#include <thread>
#include <unistd.h>

cppcoro::task<> moves(cppcoro::static_thread_pool &pool,
                      cppcoro::io_service &loop) {
  ::sleep(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_await pool.schedule();
  ::sleep(2);
  co_await loop.schedule();
  ::sleep(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
}

// Every way counts.
cppcoro::task<> branches(cppcoro::static_thread_pool &pool, bool heavy) {
  if (heavy) {
    co_await pool.schedule();
    ::sleep(1);
  }
  ::sleep(2);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  if (!heavy)
    co_return;
  co_await pool.schedule();
  ::sleep(3);
}

cppcoro::task<> loops(cppcoro::static_thread_pool &pool,
                      cppcoro::io_service &loop) {
  co_await pool.schedule();
  for (int n = 0; n < 3; ++n) {
    ::sleep(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    co_await loop.schedule();
  }
}

cppcoro::task<> handles(cppcoro::static_thread_pool &pool) {
  try {
    co_await pool.schedule();
    ::sleep(1);
  } catch (...) {
    ::sleep(2);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
  }
}

// Through a coroutine that ends on the pool.
cppcoro::task<> to_pool(cppcoro::static_thread_pool &pool) {
  co_await pool.schedule();
}
cppcoro::task<> hops(cppcoro::static_thread_pool &pool) {
  co_await to_pool(pool);
  ::sleep(1);
}

asio::awaitable<> binds(asio::thread_pool &pool, asio::io_context &loop) {
  co_await asio::post(asio::bind_executor(pool, asio::use_awaitable));
  ::sleep(1);
  co_await asio::post(asio::bind_executor(loop, asio::use_awaitable));
  ::sleep(2);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
}

// An awaiter of this file that lets a thread resume the coroutine.
struct new_thread {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) {
    std::thread([h] { h.resume(); }).detach();
  }
  void await_resume() {}
};
own::task<> changes() {
  co_await new_thread{};
  ::sleep(1);
}

// Started on a pool, wherever this file starts it.
asio::awaitable<> crunch() {
  ::sleep(1);
  co_return;
}
asio::awaitable<> part() {
  ::sleep(2);
  co_return;
}
asio::awaitable<> whole() { co_await part(); }
asio::awaitable<> both() {
  ::sleep(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_return;
}
void starts(asio::thread_pool &pool, asio::io_context &loop,
            std::shared_ptr<asio::thread_pool> shared) {
  auto executor = pool.get_executor();
  asio::co_spawn(executor, crunch(), asio::detached);
  asio::co_spawn(*shared, crunch(), asio::detached);
  asio::co_spawn(pool, whole(), asio::detached);
  asio::co_spawn(pool, both(), asio::detached);
  asio::co_spawn(loop, both(), asio::detached);
}

asio::awaitable<> lends(asio::thread_pool &pool, asio::io_context &loop) {
  co_await asio::co_spawn(
      pool,
      []() -> asio::awaitable<> {
        ::sleep(1);
        co_return;
      },
      asio::use_awaitable);
  auto job = []() -> asio::awaitable<> {
    ::sleep(2);
    co_return;
  };
  co_await asio::co_spawn(pool, job, asio::use_awaitable);
  co_await asio::co_spawn(
      loop,
      []() -> asio::awaitable<> {
        ::sleep(3);
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: '::sleep' blocks
        co_return;
      },
      asio::use_awaitable);
}

folly::coro::Task<> digest() {
  ::sleep(1);
  co_return;
}
folly::coro::Task<> digests(folly::CPUThreadPoolExecutor *cpu) {
  co_await folly::coro::co_withExecutor(cpu, digest());
}

// A generator that is only iterated cannot be on a loop.
own::generator<int> numbers() {
  ::sleep(1);
  co_yield 1;
}
