// RUN: %check %s async-lock-across-await

#include "locks/locks.h"

// Nothing that the lock may protect is used by the await.
task<> last(int id) {
  std::lock_guard hold(m);
  use(id);
  co_await op(id);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'm' is held across
  // CHECK-FIXES: { std::lock_guard hold(m);
  // CHECK-FIXES-NEXT: use(id);
  // CHECK-FIXES-NEXT: } co_await op(id);
}

task<int> result(int id) {
  int seen = 0;
  std::unique_lock hold(m);
  seen = peek();
  co_return co_await load(seen + id);
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'm' is held across
  // CHECK-FIXES: { std::unique_lock hold(m);
  // CHECK-FIXES-NEXT: seen = peek();
  // CHECK-FIXES-NEXT: } co_return co_await load(seen + id);
}
