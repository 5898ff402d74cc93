// RUN: %check %s async-swallowed-cancellation --suffix DEFAULT
// RUN: %check %s async-swallowed-cancellation --suffix CATCHALL --option async-swallowed-cancellation.IgnoreCatchAll=true
// RUN: %check %s async-swallowed-cancellation --suffix STD --option async-swallowed-cancellation.IgnoreStdException=true
// RUN: %check %s async-swallowed-cancellation --suffix LOGGED --option async-swallowed-cancellation.IgnoreLoggingOnly=true

#include "cancellation/folly.h"
#include <cstdio>

folly::coro::Task<int> fetch();
void keep(std::exception_ptr &);

folly::coro::Task<int> all() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:5: warning: 'catch (...)' swallows
    // CHECK-MESSAGES-STD: :[[@LINE-2]]:5: warning: 'catch (...)' swallows
    // CHECK-MESSAGES-LOGGED: :[[@LINE-3]]:5: warning: 'catch (...)' swallows
    p = std::current_exception();
  }
  co_return 0;
}

folly::coro::Task<int> standard() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (const std::exception &e) {
    // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows
    // CHECK-MESSAGES-CATCHALL: :[[@LINE-2]]:5: warning: 'catch (const std::exception &)' swallows
    p = std::current_exception();
    std::printf("%s", e.what());
  }
  co_return 0;
}
