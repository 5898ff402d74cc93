// Limits of waits: those left out, those of zero and those that are waited for.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <future>
using namespace std::chrono_literals;

// Here zero, the default, means "no limit".
namespace drogon {
struct HttpClient {
  int sendRequest(int request, double timeout = 0);
};
} // namespace drogon
own::task<int> unlimited(drogon::HttpClient &client) {
  int n = client.sendRequest(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'drogon::HttpClient::sendRequest' blocks
  n += client.sendRequest(2, 0);
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'drogon::HttpClient::sendRequest' blocks
  n += client.sendRequest(3, 1.5);
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'drogon::HttpClient::sendRequest' blocks
  co_return n;
}

// Here zero asks without waiting, if somebody writes it.
int rd_kafka_poll(void *handle, int timeout_ms = 0);
own::task<> polls(void *handle) {
  rd_kafka_poll(handle, 0);
  rd_kafka_poll(handle);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'rd_kafka_poll' blocks
  co_await own::io();
}

// One wait, one finding.
own::task<int> waits_once(std::future<int> a, std::future<int> b,
                          std::future<int> c,
                          std::chrono::steady_clock::time_point end) {
  int n = 0;
  if (a.wait_for(2s) == std::future_status::ready)
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'std::future::wait_for' blocks
    n = a.get();
  if (b.wait_until(end) != std::future_status::ready)
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'std::future::wait_until' blocks
    co_return n;
  n += b.get();
  if (c.wait_for(2s) == std::future_status::timeout)
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'std::future::wait_for' blocks
    n += c.get();
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'std::future::get' blocks
  co_return n;
}

// What runs nowhere is not waited for in a destructor.
own::task<> lazily() {
  auto deferred = std::async(std::launch::deferred, [] { return 1; });
  auto either = std::async(std::launch::deferred | std::launch::async,
                           [] { return 1; });
  // CHECK-MESSAGES: :[[@LINE-2]]:17: warning: {{.*}}'std::async'
  std::async(std::launch::deferred, [] { return 1; });
  co_await own::io();
}

own::task<int> fulfilled(bool early) {
  std::promise<int> kept, maybe;
  auto a = kept.get_future();
  auto b = maybe.get_future();
  kept.set_value(1);
  if (early)
    maybe.set_value(2);
  int n = a.get();
  n += b.get();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'std::future::get' blocks
  co_await own::io();
  co_return n;
}
