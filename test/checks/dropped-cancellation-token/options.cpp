// RUN: %check %s async-dropped-cancellation-token --suffix DEFAULT
// RUN: %check %s async-dropped-cancellation-token --suffix LESS --option async-dropped-cancellation-token.CheckUnusedParameter=false --option async-dropped-cancellation-token.AllowedFunctions=persist

#include "tokens/seastar.h"

using seastar::abort_source;
using seastar::future;

future<int> compute(int);
future<int> unusedParameter(int key, abort_source &as) {
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:52: warning: 'as' is never used
  co_return co_await compute(key);
}

future<> persist(int);
future<> persist(int, abort_source &);
future<> work(seastar::semaphore &slots, abort_source &as) {
  as.check();
  co_await persist(1);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:12: warning: this wait does not end when 'as' is cancelled
  // CHECK-FIXES-DEFAULT: co_await persist(1, as);
  auto units = co_await seastar::get_units(slots, 1);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:25: warning: this wait does not end when 'as' is cancelled
  // CHECK-MESSAGES-LESS: :[[@LINE-2]]:25: warning: this wait does not end when 'as' is cancelled
  // CHECK-FIXES: auto units = co_await seastar::get_units(slots, 1, as);
}
