// RUN: %check %s async-swallowed-cancellation

// The exception leaves the handler in a variable, as no handler may await.

#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <future>
#include <optional>
#include <vector>

folly::coro::Task<int> fetch();
folly::coro::Task<> cleanup();
void logError(const std::exception_ptr &);
std::optional<int> guess();

folly::coro::Task<int> rethrownLater() {
  std::exception_ptr failure;
  int n = 0;
  try {
    n = co_await fetch();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await cleanup();
  if (failure)
    std::rethrow_exception(failure);
  co_return n;
}

folly::coro::Task<int> forgotten() {
  std::exception_ptr failure;
  int n = 0;
  try {
    n = co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets 'n' as if
    failure = std::current_exception();
  }
  co_await cleanup();
  if (failure)
    logError(failure);
  co_return n;
}

folly::coro::Task<> onOnePathOnly(bool strict) {
  std::exception_ptr failure;
  try {
    co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: keeps it in 'failure', which does not reach the caller on every path
    failure = std::current_exception();
  }
  co_await cleanup();
  if (failure && strict)
    std::rethrow_exception(failure);
}

folly::coro::Task<int> inverted() {
  std::exception_ptr failure;
  int n = 0;
  try {
    n = co_await fetch();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure)
    co_return n;
  co_await cleanup();
  std::rethrow_exception(std::move(failure));
}

folly::coro::Task<int> flagged() {
  bool failed = false;
  int n = 0;
  try {
    n = co_await fetch();
  } catch (...) {
    failed = true;
  }
  if (failed)
    throw folly::OperationCancelled();
  co_return n;
}

folly::coro::Task<int> flagSetOnSuccess() {
  bool done = false;
  int n = 0;
  try {
    n = co_await fetch();
    done = true;
  } catch (...) {
  }
  if (!done)
    throw folly::OperationCancelled();
  co_return n;
}

folly::coro::Task<> collected() {
  std::vector<std::exception_ptr> errors;
  for (int i = 0; i < 3; ++i) {
    try {
      co_await fetch();
      break;
    } catch (...) {
      errors.push_back(std::current_exception());
    }
    if (!errors.empty())
      std::rethrow_exception(errors.front());
  }
}

folly::coro::Task<folly::Try<int>> asTry() {
  try {
    co_await fetch();
  } catch (...) {
    co_return folly::Try<int>(folly::exception_wrapper(std::current_exception()));
  }
  co_return folly::Try<int>();
}

folly::coro::Task<> intoPromise(std::promise<int> out) {
  try {
    out.set_value(co_await fetch());
  } catch (...) {
    out.set_exception(std::current_exception());
  }
}

template <class F> void later(F) {}
folly::coro::Task<> intoCallback() {
  std::exception_ptr e;
  try {
    co_await fetch();
  } catch (...) {
    e = std::current_exception();
  }
  later([e] { std::rethrow_exception(e); });
}

struct Session {
  std::exception_ptr first;
  folly::coro::Task<> run() {
    try {
      co_await fetch();
    } catch (...) {
      first = std::current_exception();
    }
  }
};

seastar::future<int> ask(seastar::abort_source &as);
seastar::future<int> returnsException(seastar::abort_source &as) {
  std::exception_ptr p;
  try {
    co_return co_await ask(as);
  } catch (...) {
    p = std::current_exception();
  }
  co_await seastar::coroutine::return_exception_ptr(std::move(p));
  co_return 0;
}

folly::coro::Task<int> yieldsError() {
  folly::exception_wrapper error;
  try {
    co_return co_await fetch();
  } catch (...) {
    error = folly::exception_wrapper(std::current_exception());
  }
  co_yield folly::coro::co_error(std::move(error));
  co_return 0;
}

folly::coro::Task<int> emptyUnlessItWorked() {
  std::optional<int> answer;
  std::exception_ptr failure;
  try {
    answer = co_await fetch();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await cleanup();
  if (answer)
    co_return *answer;
  std::rethrow_exception(failure);
}

folly::coro::Task<int> emptyUnlessGuessed() {
  std::optional<int> answer;
  std::exception_ptr failure;
  try {
    answer = co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '*answer'
    failure = std::current_exception();
    answer = guess();
  }
  if (answer)
    co_return *answer;
  std::rethrow_exception(failure);
}

folly::coro::Task<int> keptFromBefore() {
  std::optional<int> answer;
  std::exception_ptr failure;
  try {
    answer = co_await fetch();
    co_await cleanup();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '*answer'
    failure = std::current_exception();
  }
  if (answer)
    co_return *answer;
  std::rethrow_exception(failure);
}
