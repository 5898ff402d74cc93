// RUN: %check %s async-unbounded-await --suffix DEFAULT
// RUN: %check %s async-unbounded-await --suffix NAMED \
// RUN:   --option async-unbounded-await.IoFunctions=ask \
// RUN:   "--option=async-unbounded-await.AllowedFunctions=query;idle"

// Templates, macros, lambdas, NOLINT; options.

#include "time/folly.h"

[[clang::annotate("async-tidy:external-io")]] folly::coro::Task<int> query(int id);
[[clang::annotate("async-tidy:external-io")]] folly::coro::Task<int> send(int id);
folly::coro::Task<int> ask();

template <class T> folly::coro::Task<T> generic(T value) {
  co_await send(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'send' may never answer
  co_return value;
}
folly::coro::Task<int> a() { return generic(1); }
folly::coro::Task<long> b() { return generic(1L); }

#define AWAIT(x) co_await x
folly::coro::Task<int> fromAMacro() {
  co_return AWAIT(send(2));
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'send' may never answer
}

folly::coro::Task<int> inALambda() {
  auto work = []() -> folly::coro::Task<int> { co_return co_await send(3); };
  // CHECK-MESSAGES: :[[@LINE-1]]:58: warning: 'send' may never answer
  co_return co_await work();
}

folly::coro::Task<int> silenced() {
  // NOLINTNEXTLINE(async-unbounded-await)
  co_return co_await send(4);
}

folly::coro::Task<int> allowed() {
  co_return co_await query(1);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:13: warning: 'query' may never answer
}
folly::coro::Task<int> idle() {
  co_return co_await send(5);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:13: warning: 'send' may never answer
}
folly::coro::Task<int> named() {
  co_return co_await ask();
  // CHECK-MESSAGES-NAMED: :[[@LINE-1]]:13: warning: 'ask' may never answer
}
