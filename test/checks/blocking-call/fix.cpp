// A sleep becomes an awaited one where the library is known and in reach.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <thread>
using namespace std::chrono_literals;

folly::coro::Task<> pauses(int n) {
  std::this_thread::sleep_for(n * 10ms);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread while it sleeps; use 'co_await folly::coro::sleep
  // CHECK-FIXES: {{^}}  co_await folly::coro::sleep(n * 10ms);
  if (n)
    std::this_thread::sleep_for(std::chrono::milliseconds(n + 1));
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'std::this_thread::sleep_for'
  // CHECK-FIXES: {{^}}    co_await folly::coro::sleep(std::chrono::milliseconds(n + 1));
  co_return;
}

// Not where the result might not compile or mean the same.
#define PAUSE std::this_thread::sleep_for(1s)
folly::coro::Task<> keeps() {
  PAUSE;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for'
  // CHECK-FIXES: {{^}}  PAUSE;
  try {
    co_await folly::coro::sleep(1s);
  } catch (...) {
    std::this_thread::sleep_for(2s);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'std::this_thread::sleep_for'
    // CHECK-FIXES: {{^}}    std::this_thread::sleep_for(2s);
  }
  [] { std::this_thread::sleep_for(3s); }();
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'std::this_thread::sleep_for'
  // CHECK-FIXES: {{^}}  [] { std::this_thread::sleep_for(3s); }();
}
// This library's timer is not declared here.
asio::awaitable<> elsewhere() {
  std::this_thread::sleep_for(4s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread while it sleeps; use 'co_await' on asio::steady_timer
  // CHECK-FIXES: {{^}}  std::this_thread::sleep_for(4s);
  co_return;
}
