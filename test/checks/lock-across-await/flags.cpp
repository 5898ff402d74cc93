// RUN: %check %s async-lock-across-await

#include "locks/locks.h"

task<> guard() {
  std::lock_guard<std::mutex> hold(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across this 'co_await': another coroutine on this thread that wants it deadlocks; resumed on another thread, this one unlocks a mutex that thread does not own [async-lock-across-await]
  // CHECK-NOTES: :[[@LINE-3]]:31: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before, or use an awaitable mutex
  co_await op();
}

task<> deduced() {
  std::lock_guard hold(m);
  int x = co_await load(peek());
  // CHECK-NOTES: :[[@LINE-1]]:11: warning: 'm' is held across this 'co_await'
  // CHECK-NOTES: :[[@LINE-3]]:19: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:11: note: unlock it before
  use(x);
}

task<> initialised() {
  auto hold = std::unique_lock(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:8: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> inCondition() {
  if (std::scoped_lock hold(m); flag)
    co_await op();
  // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:24: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:5: note: unlock it before
}

struct Transaction {
  std::unique_lock<std::mutex> lock;
  int changes = 0;
};
struct Session {
  Transaction t;
  explicit Session(std::mutex &m) : t{std::unique_lock<std::mutex>(m)} {}
};

task<> member() {
  Transaction t{std::unique_lock(m)};
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:15: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> memberOfMember() {
  Session s(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: the lock of 's' is held across
  // CHECK-NOTES: :[[@LINE-3]]:11: note: the lock of 's' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> array() {
  std::lock_guard<std::mutex> both[] = {std::lock_guard(m), std::lock_guard(m2)};
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: {{.*}} held across
  // CHECK-NOTES: note: {{.*}} is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> pointer() {
  auto hold = std::make_unique<std::lock_guard<std::mutex>>(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> moved() {
  std::unique_lock first(m);
  auto second = std::move(first);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-4]]:20: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> received(std::unique_lock<std::mutex> hold) {
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: the lock of 'hold' is held across
  // CHECK-NOTES: :[[@LINE-3]]:46: note: 'hold' comes locked from the caller
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> byReference(std::unique_lock<std::mutex> &hold) {
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: the lock of 'hold' is held across
  // CHECK-NOTES: :[[@LINE-3]]:50: note: 'hold' comes locked from the caller
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

struct [[clang::scoped_lockable]] Guard {
  explicit Guard(std::mutex &);
  ~Guard();
};

task<> annotated() {
  Guard hold(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:9: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

// Nothing says that this is a guard, but what it does.
struct Holder {
  std::mutex &mutex;
  explicit Holder(std::mutex &m) : mutex(m) { mutex.lock(); }
  ~Holder() { mutex.unlock(); }
};

task<> homeMade() {
  Holder hold(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:10: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

task<> byHand() {
  m.lock();
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:5: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
  m.unlock();
}

task<> ifItCan() {
  if (m.try_lock()) {
    co_await op();
    // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'm' is held across
    // CHECK-NOTES: :[[@LINE-3]]:9: note: 'm' is locked here
    // CHECK-NOTES: :[[@LINE-3]]:5: note: unlock it before
    m.unlock();
  }
}

task<> onOneWay() {
  std::unique_lock hold(m);
  if (flag)
    hold.unlock();
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-5]]:20: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

// Each region is a fault of its own.
task<> again() {
  std::unique_lock hold(m);
  hold.unlock();
  co_await op();
  hold.lock();
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:8: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}

// Two locks, one await: one finding.
task<> two() {
  std::lock_guard first(m);
  std::lock_guard second(m2);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-4]]:19: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-4]]:19: note: 'm2' is locked here
  // CHECK-NOTES: :[[@LINE-4]]:3: note: unlock it before
}

template <class T> struct Guarded {
  struct Access {
    std::unique_lock<std::mutex> lock;
    T *operator->();
  };
  Access access();
};
struct Table {
  void put(int);
};

task<> inOneExpression(Guarded<Table> &table) {
  table.access()->put(co_await load());
  // CHECK-NOTES: :[[@LINE-1]]:23: warning: 'table' is held across
  // CHECK-NOTES: :[[@LINE-2]]:9: note: 'table' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:23: note: unlock it before
}

task<> released() {
  std::unique_lock hold(m);
  std::mutex *mutex = hold.release();
  co_await op();
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
  mutex->unlock();
}

generator<int> values() {
  std::lock_guard hold(m);
  for (int i = 0; i < 3; ++i)
    co_yield i;
  // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'm' is held across this 'co_yield': the consumer runs meanwhile and deadlocks if it wants it too; on another thread it makes that thread unlock a mutex it does not own
  // CHECK-NOTES: :[[@LINE-4]]:19: note: 'm' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:5: note: unlock it before
}

template <class M> task<> inTemplate(M &mutex) {
  std::lock_guard<M> hold(mutex);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'mutex' is held across
  // CHECK-NOTES: :[[@LINE-3]]:22: note: 'mutex' is locked here
  // CHECK-NOTES: :[[@LINE-3]]:3: note: unlock it before
}
void instances(std::shared_mutex &other) {
  (void)inTemplate(m);
  (void)inTemplate(other);
}

task<> inLambda() {
  auto work = []() -> task<> {
    std::lock_guard hold(m);
    co_await op(peek());
    // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'm' is held across
    // CHECK-NOTES: :[[@LINE-3]]:21: note: 'm' is locked here
    // CHECK-NOTES: :[[@LINE-3]]:5: note: unlock it before
  };
  co_await work();
}

#define GUARD(x) std::lock_guard<std::mutex> guarded(x)
task<> inMacro() {
  GUARD(m);
  co_await op(peek());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-NOTES: :[[@LINE-3]]:3: note: 'm' is locked here
  // CHECK-NOTES: note: expanded from macro 'GUARD'
  // CHECK-NOTES: :[[@LINE-4]]:3: note: unlock it before
}

task<> tolerated() {
  std::lock_guard hold(m);
  co_await op(peek()); // NOLINT(async-lock-across-await)
}
