// RUN: %check %s async-swallowed-cancellation

// Functions of the same file are known by what they do.

#include "cancellation/folly.h"
#include <cstdio>

folly::coro::Task<int> fetch();

void rethrowIfCancelled() {
  try {
    throw;
  } catch (const folly::OperationCancelled &) {
    throw;
  } catch (...) {
  }
}

void rethrowPointer(std::exception_ptr p) { std::rethrow_exception(p); }

bool stopped(std::exception_ptr p) {
  try {
    std::rethrow_exception(p);
  } catch (const folly::OperationCancelled &) {
    return true;
  } catch (...) {
    return false;
  }
}

bool transient(std::exception_ptr p) {
  try {
    std::rethrow_exception(p);
  } catch (const folly::FutureTimeout &) {
    return true;
  } catch (...) {
    return false;
  }
}

void report() { std::puts("failed"); }

[[noreturn]] void fail(std::exception_ptr p) { std::rethrow_exception(p); }

folly::coro::Task<int> lippincott() {
  try {
    co_return co_await fetch();
  } catch (...) {
    rethrowIfCancelled();
    co_return 0;
  }
}

folly::coro::Task<int> throughHelper() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (...) {
    p = std::current_exception();
  }
  rethrowPointer(p);
  co_return 0;
}

folly::coro::Task<int> classified() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (...) {
    p = std::current_exception();
  }
  if (stopped(p))
    std::rethrow_exception(p);
  co_return 0;
}

folly::coro::Task<int> classifiedAsOther() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    p = std::current_exception();
  }
  if (transient(p))
    std::rethrow_exception(p);
  co_return 0;
}

folly::coro::Task<int> onlyReports() {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    report();
    co_return 0;
  }
}

folly::coro::Task<int> neverReturns() {
  try {
    co_return co_await fetch();
  } catch (...) {
    fail(std::current_exception());
  }
}

// A nested try takes what is thrown in the handler.
folly::coro::Task<int> nested() {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    try {
      throw;
    } catch (const std::exception &e) {
      std::puts(e.what());
    }
    co_return 0;
  }
}
