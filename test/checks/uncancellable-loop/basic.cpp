// RUN: %check %s async-uncancellable-loop

#include "cancellation/asio.h"
#include "cancellation/cppcoro.h"
#include <atomic>

using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;
using cppcoro::cancellation_token;
using cppcoro::task;

struct Queue {
  bool empty() const;
  int pop();
};
void use(int);
void work();
bool more();
[[noreturn]] void fail();
task<> wait();

//===----------------------------------------------------------------------===//
// Nothing stops it
//===----------------------------------------------------------------------===//

task<> neverSuspends(cancellation_token) {
  for (;;) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop: it has no exit, never suspends and asks for no cancellation [async-uncancellable-loop]
    work();
  }
  co_return;
}

awaitable<> onlyAsksItsExecutor(Queue &q) {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop
    co_await asio::this_coro::executor;
    use(q.pop());
  }
}

task<> readyAtOnce(Queue &q) {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop
    co_await std::suspend_never{};
    use(q.pop());
  }
}

task<int> next(Queue &q) { co_return q.pop(); }

task<> awaitsWhatIsReady(Queue &q) {
  while (true)
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop
    use(co_await next(q));
}

// Where cancellation sticks, each await looks for it.
awaitable<int> nextItem(Queue &q) { co_return q.pop(); }
awaitable<> awaitsItem(Queue &q) {
  while (true)
    use(co_await nextItem(q));
}

task<> asksToken(cancellation_token t) {
  while (!t.is_cancellation_requested())
    work();
  co_return;
}
task<> asksTokenInside(cancellation_token t) {
  for (;;) {
    t.throw_if_cancellation_requested();
    work();
  }
  co_return;
}
void workUntil(cancellation_token);
task<> passesToken(cancellation_token t) {
  for (;;)
    workUntil(t);
  co_return;
}
task<> ends(Queue &q) {
  for (;;) {
    int item = q.pop();
    if (!item)
      co_return;
    use(item);
  }
}
task<> breaks() {
  for (;;) {
    work();
    if (!more())
      break;
  }
  co_return;
}
void workOrThrow() {
  if (!more())
    throw 1;
}
task<> throwsInside() {
  for (;;)
    workOrThrow();
  co_return;
}
task<> fails() {
  for (;;)
    if (!more())
      fail();
  co_return;
}
task<> bounded() {
  for (int i = 0; i < 100; ++i)
    work();
  while (more())
    work();
  co_return;
}
// Yields when it is time to.
namespace seastar::coroutine {
struct maybe_yield {
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  void await_resume();
};
} // namespace seastar::coroutine
task<> yields(const int &seen, int before) {
  while (seen == before)
    co_await seastar::coroutine::maybe_yield();
}
task<> suspends() {
  for (;;)
    co_await wait();
}
task<> neverReached() {
  co_await wait();
  for (;;) {
  }
}

//===----------------------------------------------------------------------===//
// It spins on one path
//===----------------------------------------------------------------------===//

task<> spinsWhileEmpty(Queue &q) {
  while (true) {
    if (q.empty())
      // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this loop spins: on one side of this branch it goes round without suspending, and no cancellation arrives [async-uncancellable-loop]
      // CHECK-MESSAGES: :[[@LINE-3]]:3: note: the loop is here
      continue;
    use(q.pop());
    co_await wait();
  }
}

task<> spinsUnlessFull(Queue &q) {
  for (;;) {
    if (!q.empty()) {
      // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this loop spins
      use(q.pop());
      co_await wait();
    }
  }
}

task<> drains(Queue &q) {
  for (;;) {
    if (q.empty()) {
      co_await wait();
      continue;
    }
    use(q.pop());
  }
}
task<> drainsInside(Queue &q) {
  for (;;) {
    while (!q.empty())
      use(q.pop());
    co_await wait();
  }
}
task<> everySecond() {
  for (int i = 0;; ++i) {
    if (i % 2)
      co_await wait();
  }
}
// Two conditions may exclude each other.
task<> eitherWay(Queue &q) {
  for (;;) {
    if (q.empty())
      co_await wait();
    if (!q.empty())
      co_await next(q);
  }
}

struct Worker {
  bool done_ = false;
  std::atomic<bool> stop_;
  int turns_ = 0;

  task<> spins() {
    while (!done_)
      // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this loop spins: nothing in it changes its condition, it never suspends, and no cancellation arrives [async-uncancellable-loop]
      co_await std::suspend_never{};
  }
  task<> spinsSometimes() {
    while (!done_) {
      if (turns_ > 3)
        // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this loop spins: on one side
        co_await wait();
    }
  }
  task<> isTold() {
    while (!stop_)
      co_await std::suspend_never{};
  }
  task<> counts() {
    while (turns_ < 10)
      ++turns_;
    co_return;
  }
  task<> waits() {
    while (!done_)
      co_await wait();
  }
  task<> works() {
    while (!done_)
      work();
    co_return;
  }
};

//===----------------------------------------------------------------------===//
// It looks at no error
//===----------------------------------------------------------------------===//

// A root, which async-ignored-cancellation-result leaves alone.
awaitable<> echo(tcp::socket &s) {
  for (;;) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop: it looks at no error of what it awaits, so it spins once that is cancelled or closed [async-uncancellable-loop]
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    use(n);
  }
}
awaitable<> echoUntilEmpty(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    if (n == 0)
      co_return;
  }
}
// The other await ends it.
awaitable<> reads(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    co_await s.async_read_some(use_awaitable);
  }
}
awaitable<> ticks(asio::steady_timer &t) {
  for (;;) {
    co_await t.async_wait(asio::as_tuple);
    work();
  }
}
void start(asio::executor e, tcp::socket &s, asio::steady_timer &t) {
  co_spawn(e, echo(s), asio::detached);
  co_spawn(e, echoUntilEmpty(s), asio::detached);
  co_spawn(e, reads(s), asio::detached);
  co_spawn(e, ticks(t), asio::detached);
}
// Not a root: that is async-ignored-cancellation-result's.
awaitable<> awaited(tcp::socket &s) {
  for (;;) {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    use(n);
  }
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

// No coroutine: its thread is its own.
void thread() {
  for (;;)
    work();
}

template <class T> task<> instance(T) {
  for (;;)
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: nothing can stop this loop
    work();
  co_return;
}
void instances() {
  (void)instance(1);
  (void)instance('1');
}

#define FOREVER for (;;)
task<> inMacro() {
  FOREVER work();
  co_return;
}

task<> suppressed() {
  // NOLINTNEXTLINE(async-uncancellable-loop)
  for (;;)
    work();
  co_return;
}
