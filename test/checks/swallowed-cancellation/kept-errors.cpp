// RUN: %check %s async-swallowed-cancellation,async-retried-cancellation,async-converted-cancellation,async-ignored-cancellation-result

// More ways to keep an error and to hand it on.

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

folly::coro::Task<int> fetch(int = 0);
seastar::future<int> ask(seastar::abort_source &as);
using asio::ip::tcp;

folly::coro::Task<> comparedWithNull() {
  std::exception_ptr e = nullptr;
  try {
    co_await fetch();
  } catch (...) {
    e = std::current_exception();
  }
  if (e == nullptr)
    co_return;
  std::rethrow_exception(e);
}

folly::coro::Task<> optionalError() {
  std::optional<std::exception_ptr> e;
  try {
    co_await fetch();
  } catch (...) {
    e = std::current_exception();
  }
  if (e.has_value())
    std::rethrow_exception(*e);
}

folly::coro::Task<> listOfOne() {
  std::vector<std::exception_ptr> all;
  try {
    co_await fetch();
  } catch (...) {
    all.push_back(std::current_exception());
  }
  if (all.size() > 0)
    std::rethrow_exception(all[0]);
}

folly::coro::Task<> listInLoop() {
  std::vector<std::exception_ptr> all;
  try {
    co_await fetch();
  } catch (...) {
    all.push_back(std::current_exception());
  }
  for (const auto &e : all)
    std::rethrow_exception(e);
}

// All are done, the first failure is reported.
folly::coro::Task<> firstOfAll(std::vector<int> ids) {
  std::exception_ptr first;
  for (int id : ids) {
    try {
      co_await fetch(id);
    } catch (...) {
      if (!first)
        first = std::current_exception();
    }
  }
  if (first)
    std::rethrow_exception(first);
}

folly::coro::Task<> firstOfAllForgotten(std::vector<int> ids) {
  std::exception_ptr first;
  for (int id : ids) {
    try {
      co_await fetch(id);
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' swallows cancellation: keeps it in 'first'
      if (!first)
        first = std::current_exception();
    }
  }
}

folly::coro::Task<> toldCallback(std::function<void(std::exception_ptr)> done) {
  try {
    co_await fetch();
  } catch (...) {
    done(std::current_exception());
  }
}

template <class T> struct Result {
  static Result ok(T);
  static Result failed(std::exception_ptr);
};
folly::coro::Task<Result<int>> factory() {
  try {
    co_return Result<int>::ok(co_await fetch());
  } catch (...) {
    co_return Result<int>::failed(std::current_exception());
  }
}

enum class Outcome { done, cancelled };
folly::coro::Task<Outcome> saysCancelled() {
  try {
    co_await fetch();
  } catch (const folly::OperationCancelled &) {
    co_return Outcome::cancelled;
  }
  co_return Outcome::done;
}

struct State {
  std::exception_ptr error;
  int value;
  bool failed;
};
folly::coro::Task<int> inStruct() {
  State s{};
  try {
    s.value = co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets 's.value'
    s.error = std::current_exception();
  }
  co_return s.value;
}
folly::coro::Task<int> flagInStruct() {
  State s{};
  try {
    s.value = co_await fetch();
  } catch (...) {
    s.failed = true;
  }
  if (s.failed)
    throw folly::OperationCancelled();
  co_return s.value;
}

folly::coro::Task<int> emptyUnlessDone() {
  std::optional<int> result;
  try {
    result = co_await fetch();
  } catch (const folly::OperationCancelled &) {
  }
  if (!result)
    throw folly::OperationCancelled();
  co_return *result;
}

// The cleanup's own failure; the first one is thrown all the same.
folly::coro::Task<int> failsTwice() {
  std::exception_ptr e;
  try {
    co_return co_await fetch();
  } catch (...) {
    e = std::current_exception();
  }
  try {
    co_await fetch();
  } catch (...) {
  }
  std::rethrow_exception(e);
}

folly::coro::Task<int> sliced() {
  try {
    co_return co_await fetch();
  } catch (const std::exception &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' turns cancellation into another error
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &e) {
    throw e;
  }
}

folly::coro::Task<int> nests() {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' turns cancellation into another error
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    std::throw_with_nested(std::runtime_error("fetch"));
  }
}

seastar::future<int> derivedHandler(seastar::abort_source &as) {
  try {
    co_return co_await ask(as);
  } catch (const seastar::sleep_aborted &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const seastar::sleep_aborted &)' swallows cancellation: the caller gets '0'
    co_return 0;
  }
}

seastar::logger logger;
seastar::future<int> genericLambda(seastar::abort_source &as) {
  return ask(as).handle_exception([](auto e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'handle_exception' swallows cancellation
    logger.error("failed", e);
    return 0;
  });
}
seastar::future<int> genericLambdaPassesOn(seastar::abort_source &as) {
  return ask(as).handle_exception([](auto e) { return seastar::make_exception_future<int>(e); });
}

asio::awaitable<int> outParameter(tcp::socket &s, asio::error_code &ec) {
  co_return co_await s.async_read_some(asio::redirect_error(asio::use_awaitable, ec));
}

asio::awaitable<bool> saysWhether(tcp::socket &s) {
  auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
  co_return !ec;
}

asio::awaitable<int> tied(tcp::socket &s) {
  asio::error_code ec;
  int n = 0;
  std::tie(ec, n) = co_await s.async_read_some(asio::as_tuple);
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: the error of this await is never looked at
  co_return n;
}

// A fiber that is kept in a member runs beside everything else.
struct Fiber {
  seastar::abort_source as;
  seastar::future<> running;
  void start() { running = run(); }
  seastar::future<> run() {
    try {
      for (;;)
        co_await ask(as);
    } catch (const seastar::abort_requested_exception &) {
    }
  }
};
