// RUN: %check %s async-ignored-cancellation-result

#include "cancellation/asio.h"

using asio::ip::tcp;
void use(int);

// Waits for whatever happens, and tidies up.
asio::awaitable<> untilClosed(tcp::socket s) {
  co_await s.async_read_some(asio::as_tuple);
  co_await s.async_shutdown(asio::as_tuple);
  s.close();
}

asio::awaitable<> goesOnFirst(tcp::socket s) {
  co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the error of this await is never looked at
  co_await s.async_write_some(asio::use_awaitable);
  s.close();
}

asio::awaitable<int> tellsItsCaller(tcp::socket s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at
  s.close();
  co_return n;
}

// Helpers of tests: nobody cancels what a test starts itself.
#define TEST_CASE_(Name) void Name()
#define TEST_CASE(Name) TEST_CASE_(Name)
#define TEST(Name) TEST_CASE(Name)
asio::awaitable<> readsForTest(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  use(n);
}
TEST(reading) {
  asio::executor ex;
  tcp::socket s;
  asio::co_spawn(ex, readsForTest(s), asio::detached);
  auto inTest = [&]() -> asio::awaitable<int> {
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    co_return n;
  };
  auto kept = readsForTest(s);
  auto other = inTest();
}

asio::awaitable<> readsForBoth(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the error of this await is never looked at
  use(n);
}
TEST(both) {
  tcp::socket s;
  auto kept = readsForBoth(s);
}
asio::awaitable<> inService(tcp::socket &s) {
  co_await readsForBoth(s);
  co_await readsForBoth(s);
}
