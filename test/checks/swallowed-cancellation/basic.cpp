// RUN: %check %s async-swallowed-cancellation

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include <cstdio>

folly::coro::Task<int> fetch();
folly::coro::Task<int> fallback();
int parse(int);

folly::coro::Task<int> fabricates() {
  try {
    co_return co_await fetch();
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation: the caller gets '-1' as if the work had been done [async-swallowed-cancellation]
    // CHECK-MESSAGES: :[[@LINE-3]]:15: note: a cancellation arrives at this await
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &) {
    co_return -1;
  }
}

folly::coro::Task<int> named() {
  try {
    co_return co_await fetch();
  } catch (const folly::OperationCancelled &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const folly::OperationCancelled &)' swallows cancellation: the caller gets '0' as if
    co_return 0;
  }
}

folly::coro::Task<> fallsThrough() {
  try {
    co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the coroutine goes on as if it had not been cancelled
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    std::puts("failed");
  }
  co_await fallback();
}

folly::coro::Task<int> laterValue() {
  int n = 0;
  try {
    n = co_await fetch();
  } catch (const std::exception &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
  co_return n;
}

// In a condition, in an argument, in a nested block: an await all the same.
folly::coro::Task<bool> deepAwait() {
  try {
    if (parse(co_await fetch()) > 0) {
      co_return true;
    }
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets 'false' as if
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
  }
  co_return false;
}

// The handler of a whole function.
folly::coro::Task<int> functionTry() try {
  co_return co_await fetch();
} catch (...) {
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'catch (...)' swallows cancellation: the caller gets '7'
  // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
  co_return 7;
}

asio::awaitable<int> codes(asio::ip::tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const asio::system_error &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const asio::system_error &)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const asio::system_error &e) { if (e.code() == asio::error::operation_aborted) throw;
    co_return 0;
  }
}

//===--- What must stay silent --------------------------------------------===//

folly::coro::Task<int> rethrows() {
  try {
    co_return co_await fetch();
  } catch (...) {
    std::puts("failed");
    throw;
  }
}

folly::coro::Task<int> rethrowsFirst() {
  try {
    co_return co_await fetch();
  } catch (const folly::OperationCancelled &) {
    throw;
  } catch (const std::exception &) {
    co_return -1;
  }
}

// Nothing in this try can be cancelled.
folly::coro::Task<int> noAwait() {
  int n = co_await fetch();
  try {
    n = parse(n);
  } catch (...) {
    n = 0;
  }
  co_return n;
}

// A timeout of its own type may be answered with a default.
folly::coro::Task<int> timeoutOnly() {
  try {
    co_return co_await fetch();
  } catch (const folly::FutureTimeout &) {
    co_return 0;
  }
}

// The handler belongs to a function that is no coroutine.
folly::coro::Task<int> plainLambda() {
  auto safe = [](int v) {
    try {
      return parse(v);
    } catch (...) {
      return 0;
    }
  };
  co_return safe(co_await fetch());
}

int notACoroutine() {
  try {
    return parse(1);
  } catch (...) {
    return 0;
  }
}

[[noreturn]] void die();
folly::coro::Task<int> dies() {
  try {
    co_return co_await fetch();
  } catch (...) {
    die();
  }
}
