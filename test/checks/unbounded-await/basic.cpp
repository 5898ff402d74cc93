// RUN: %check %s async-unbounded-await

#include "time/asio.h"
#include "time/flow.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using folly::coro::timeout;

[[clang::annotate("async-tidy:external-io")]] folly::coro::Task<int> query(int id);
[[clang::annotate("async-tidy:external-io")]] Future<int> reply(int server);
Future<int> changed(int server);

folly::coro::Task<int> plain() {
  co_return co_await query(1);
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'query' may never answer: no limit, deadline or token reaches this await [async-unbounded-await]
}

// Only the first of two steps has a limit.
seastar::future<int> greet() {
  auto s = co_await seastar::with_timeout(seastar::lowres_clock::now() + 5s,
                                          seastar::connect(1));
  auto in = s.input();
  co_return co_await in.read();
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'read' may never answer: no limit
}

// A race that no timer takes part in.
Future<int> next(int server) {
  auto first = co_await race(reply(server), changed(server));
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: 'reply' may never answer, and no arm of this race is a timer
  co_return first;
}

// The library's own I/O, also as a part of an expression.
asio::awaitable<std::size_t> reads(asio::basic_stream_socket &s, char *to) {
  co_return co_await s.async_read_some(to, asio::use_awaitable);
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'async_read_some' may never answer
}
asio::awaitable<std::size_t> asTuple(asio::basic_stream_socket &s, char *to) {
  auto [error, n] = co_await s.async_read_some(to, asio::as_tuple(asio::use_awaitable));
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: 'async_read_some' may never answer
  if (error)
    co_return 0;
  co_return n;
}
folly::coro::Task<int> asTry() {
  auto result = co_await folly::coro::co_awaitTry(query(2));
  // CHECK-NOTES: :[[@LINE-1]]:17: warning: 'query' may never answer
  co_return result.value();
}
folly::coro::Task<int> oneOfTwo() {
  co_return co_await folly::coro::collectAll(timeout(query(1), 1s), query(2));
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'query' may never answer
}
folly::coro::Task<int> throughAVariable() {
  auto answer = query(3);
  co_return co_await std::move(answer);
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'query' may never answer
}

// One caller has a limit, the other has none.
static folly::coro::Task<int> shared() {
  co_return co_await query(4);
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: 'query' may never answer
}
folly::coro::Task<int> hurried() { co_return co_await timeout(shared(), 1s); }
folly::coro::Task<int> patient() { co_return co_await shared(); }
