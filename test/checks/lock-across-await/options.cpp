// RUN: %check %s async-lock-across-await --suffix DEFAULT
// RUN: %check %s async-lock-across-await --suffix ALLOWED \
// RUN:   --option "async-lock-across-await.LockGuards=acme::Keeper" \
// RUN:   --option "async-lock-across-await.LockTypes=acme::Latch" \
// RUN:   --option "async-lock-across-await.AsyncLockTypes=acme::Gate" \
// RUN:   --option "async-lock-across-await.AllowedAwaitables=Instant" \
// RUN:   --option "async-lock-across-await.AllowedCallees=quick" \
// RUN:   --option async-lock-across-await.CoYield=false \
// RUN:   --option async-lock-across-await.CoReturn=true
// RUN: %check %s async-lock-across-await --suffix ONE \
// RUN:   --option async-lock-across-await.AssumeSingleThreaded=true

#include "locks/locks.h"

namespace acme {
struct Keeper {
  explicit Keeper(std::mutex &);
  ~Keeper();
};
struct Latch {
  void lock();
  void unlock();
};
struct Gate {
  void lock();
  void unlock();
};
} // namespace acme
struct Instant : mock::awaiter<void> {};
task<> quick();

task<> guards() {
  acme::Keeper hold(m);
  co_await op();
  // CHECK-MESSAGES-ALLOWED: :[[@LINE-1]]:3: warning: 'm' is held across
}

task<> locks(acme::Latch &latch) {
  latch.lock();
  co_await op();
  // CHECK-MESSAGES-ALLOWED: :[[@LINE-1]]:3: warning: 'latch' is held across
  latch.unlock();
}

task<> asyncLocks(acme::Gate &gate) {
  std::lock_guard hold(gate);
  co_await op(peek());
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'gate' is held across
}

task<> awaitables() {
  std::lock_guard hold(m);
  co_await Instant{};
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'm' is held across
  use(1);
}

task<> callees() {
  std::lock_guard hold(m);
  co_await quick();
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'm' is held across
  use(1);
}

generator<int> yields() {
  std::lock_guard hold(m);
  co_yield 1;
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'm' is held across this 'co_yield'
  use(1);
}

task<> returns() {
  co_await op();
  m.lock();
  co_return;
  // CHECK-MESSAGES-ALLOWED: :[[@LINE-1]]:3: warning: 'm' is still held when this coroutine ends
}
