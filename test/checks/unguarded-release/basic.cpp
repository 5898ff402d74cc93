// RUN: %check %s async-unguarded-release

#include "permits/folly.h"
#include "permits/seastar.h"

using namespace std::chrono_literals;
using seastar::future;
using seastar::semaphore;

future<bool> ready(int);
future<> work(int);
void note(int);

future<> earlyReturn(semaphore &slots, int n) {
  co_await slots.wait(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken when the coroutine returns early below: hold it by an object that gives it back [async-unguarded-release]
  // CHECK-MESSAGES: :[[@LINE+2]]:5: note: this leaves without 'signal'
  if (!co_await ready(n))
    co_return;
  co_await work(n);
  slots.signal(1);
}

future<> failure(semaphore &slots) {
  co_await slots.wait();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken when the coroutine fails or is cancelled below: hold it by an object that gives it back
  // CHECK-MESSAGES: :[[@LINE+1]]:3: note: if this fails, 'signal' is not reached
  co_await work(1);
  slots.signal();
}

struct cache {
  folly::coro::Mutex mutex_;
  folly::coro::Task<int> fill();
  folly::coro::Task<int> get() {
    co_await mutex_.co_lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'mutex_' stays taken when the coroutine fails or is cancelled below
    int v = co_await fill();
    mutex_.unlock();
    co_return v;
  }
};

// A handler for some errors lets the others past.
future<> someErrors(semaphore &slots) {
  co_await slots.wait();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken when the coroutine fails or is cancelled below
  try {
    co_await work(1);
  } catch (const seastar::timed_out_error &) {
    note(1);
  }
  slots.signal();
}

// The handler leaves, too.
future<> handlerLeaves(semaphore &slots) {
  co_await slots.wait();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken when the coroutine returns early below
  try {
    co_await work(1);
  } catch (...) {
    co_return;
  }
  slots.signal();
}

future<> armedTooEarly(semaphore &turn, seastar::abort_source &as) {
  auto give_back = seastar::defer([&turn]() noexcept { turn.signal(); });
  // CHECK-MESSAGES: :[[@LINE+2]]:17: warning: if this wait fails or is cancelled, 'give_back' gives back a permit of 'turn' that was never had: make it after the wait
  // CHECK-MESSAGES: :[[@LINE-2]]:8: note: it is made here
  co_await turn.wait(as);
  co_await work(2);
}

folly::coro::Task<int> droppedByTimeout(folly::coro::Mutex &m) {
  co_await folly::coro::timeout(m.co_lock(), 100ms);
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: 'm' can be had and lost: 'timeout' drops the result when the time is up, and nobody gives the permit back
  std::unique_lock<folly::coro::Mutex> held(m, std::adopt_lock);
  co_return 1;
}

future<> abandoned(semaphore &slots) {
  co_await seastar::with_timeout(seastar::lowres_clock::now() + 1s, slots.wait());
  // CHECK-MESSAGES: :[[@LINE-1]]:75: warning: 'slots' can be had and lost: when the time is up, the wait goes on unseen, and nobody gives the permit back
  auto give_back = seastar::defer([&] { slots.signal(); });
  co_await work(1);
}

template <class T> future<T> instantiated(semaphore &slots) {
  co_await slots.wait();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken
  co_await work(1);
  slots.signal();
  co_return T();
}
template future<int> instantiated(semaphore &);
template future<long> instantiated(semaphore &);

auto lambda = [](semaphore &slots) -> future<> {
  co_await slots.wait();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'slots' stays taken
  co_await work(1);
  slots.signal();
};

#define TAKE(s) co_await s.wait()
future<> fromMacro(semaphore &slots) {
  TAKE(slots);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'slots' stays taken
  co_await work(1);
  slots.signal();
}

//===--- What must stay silent --------------------------------------------===//

future<> heldByObject(semaphore &slots) {
  auto units = co_await seastar::get_units(slots, 1);
  co_await work(1);
}

folly::coro::Task<int> scoped(cache &c, folly::coro::Mutex &m) {
  auto lock = co_await m.co_scoped_lock();
  co_return co_await c.fill();
}

future<> guarded(semaphore &slots) {
  co_await slots.wait();
  auto give_back = seastar::defer([&] { slots.signal(); });
  co_await work(1);
}

folly::coro::Task<int> adopted(cache &c, folly::coro::Mutex &m) {
  co_await m.co_lock();
  std::unique_lock<folly::coro::Mutex> held(m, std::adopt_lock);
  co_return co_await c.fill();
}

folly::coro::Task<int> keepsResult(cache &c, folly::coro::Mutex &m) {
  co_await folly::coro::timeoutNoDiscard(m.co_lock(), 100ms);
  std::unique_lock<folly::coro::Mutex> held(m, std::adopt_lock);
  co_return co_await c.fill();
}

// Nothing that may fail stands between.
future<> noAwait(semaphore &slots) {
  co_await slots.wait();
  note(1);
  co_await seastar::now();
  slots.signal();
}

future<> allPaths(semaphore &slots) {
  co_await slots.wait();
  std::exception_ptr failed;
  try {
    co_await work(1);
  } catch (...) {
    failed = std::current_exception();
  }
  slots.signal();
  if (failed)
    std::rethrow_exception(failed);
}

future<> inHandler(semaphore &slots) {
  co_await slots.wait();
  try {
    co_await work(1);
  } catch (...) {
    slots.signal();
    throw;
  }
  slots.signal();
}

// Somebody else gives it back.
void later(semaphore &);
future<> handedOn(semaphore &slots) {
  co_await slots.wait();
  later(slots);
  co_await work(1);
}
future<> neverHere(semaphore &slots) {
  co_await slots.wait();
  co_await work(1);
}

// One is waited for, another one signalled.
future<> pipeline(semaphore &from, semaphore &to) {
  co_await from.wait();
  co_await work(1);
  to.signal();
}

// The guard asks whether there is something to give back.
future<> asksFirst(semaphore &turn) {
  bool had = false;
  auto give_back = seastar::defer([&] {
    if (had)
      turn.signal();
  });
  co_await turn.wait();
  had = true;
  co_await work(1);
}
future<> disarmed(semaphore &turn) {
  auto give_back = seastar::defer([&] { turn.signal(); });
  try {
    co_await turn.wait();
  } catch (...) {
    give_back.cancel();
    throw;
  }
  co_await work(1);
}

// The order is right for the second permit.
future<> secondOne(semaphore &turn) {
  co_await turn.wait();
  auto give_back = seastar::defer([&] { turn.signal(2); });
  co_await turn.wait();
  co_await work(1);
}

future<> suppressed(semaphore &slots) {
  co_await slots.wait(); // NOLINT(async-unguarded-release)
  co_await work(1);
  slots.signal();
}

// A failed test needs nothing back.
#define TEST_CASE_(Name) void Name()
#define TEST_CASE(Name) TEST_CASE_(Name)
#define TEST(Name) TEST_CASE(Name)
TEST(takesTurns) {
  auto task = [](semaphore &slots) -> future<> {
    co_await slots.wait();
    co_await work(1);
    slots.signal();
  };
  semaphore slots(1);
  task(slots);
}
