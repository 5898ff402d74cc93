// A lambda's body runs where the lambda is called.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <algorithm>
#include <functional>
#include <future>
#include <thread>
#include <unistd.h>
#include <variant>
#include <vector>

void each(const std::function<void(int)> &visit) { visit(1); }
void keep(std::function<void(int)> visit);
template <class F> auto twice(F f) { return f() + f(); }
void by_pointer(void (*f)()) { f(); }
void doze() { ::sleep(1); }

own::task<> here(std::vector<int> v, std::variant<int, char> choice) {
  [] { ::sleep(1); }();
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: '::sleep' blocks the event loop's thread while it sleeps
  // CHECK-MESSAGES: :[[@LINE-2]]:3: note: the lambda runs here, before the coroutine goes on
  std::for_each(v.begin(), v.end(), [](int) { ::sleep(2); });
  // CHECK-MESSAGES: :[[@LINE-1]]:47: warning: '::sleep' blocks
  std::visit([](auto) { ::sleep(3); }, choice);
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: '::sleep' blocks
  each([](int) { ::sleep(4); });
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: '::sleep' blocks
  twice([] { return ::sleep(5); });
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: '::sleep' blocks
  by_pointer(doze);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'doze' ends up in '::sleep'
  auto nap = [] { ::sleep(6); };
  nap();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this lambda ends up in '::sleep', which blocks
  // CHECK-MESSAGES: :[[@LINE-3]]:19: note: the lambda calls '::sleep', which blocks
  co_await own::io();
}

own::task<std::function<void()>> elsewhere(asio::thread_pool &pool,
                                           asio::io_context &loop) {
  auto later = [] { ::sleep(1); };
  keep([](int) { ::sleep(1); });
  asio::post(pool, [] { ::sleep(1); });
  asio::post(loop, [] { ::sleep(1); });
  std::thread([] { ::sleep(1); }).detach();
  auto result = std::async(std::launch::async, [] { return ::sleep(1); });
  while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    co_await own::io();
  result.get();
  co_return later;
}

// A coroutine lambda is a coroutine of its own.
auto make() {
  return []() -> own::task<> {
    ::sleep(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    // CHECK-MESSAGES: :[[@LINE+1]]:5: note: 'lambda' is a coroutine because of this 'co_await'
    co_await own::io();
  };
}
