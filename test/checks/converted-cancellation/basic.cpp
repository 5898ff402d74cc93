// RUN: %check %s async-converted-cancellation

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <stdexcept>

folly::coro::Task<int> fetch();
struct bad_gateway : std::runtime_error {
  using std::runtime_error::runtime_error;
};

folly::coro::Task<int> anotherError() {
  try {
    co_return co_await fetch();
  } catch (const std::exception &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' turns cancellation into another error: callers will retry or report a failure that is none [async-converted-cancellation]
    // CHECK-MESSAGES: :[[@LINE+2]]:5: note: the other error is raised here
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &e) {
    throw bad_gateway(e.what());
  }
}

folly::coro::Task<int> afterCleanup() {
  bool failed = false;
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' turns cancellation into another error
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    failed = true;
  }
  if (failed)
    throw bad_gateway("fetch");
  co_return 0;
}

// Throws the pointer; no handler for the cancellation will match.
folly::coro::Task<int> throwsPointer() {
  std::exception_ptr p;
  try {
    co_return co_await fetch();
  } catch (...) {
    p = std::current_exception();
  }
  throw p;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this throws the exception_ptr itself, not the cancellation it holds: no handler for that will match; rethrow what it holds
  // CHECK-FIXES: std::rethrow_exception(p);
}

// It is wrong without a cancellation, too.
seastar::future<int> opened(int);
seastar::future<> undo();
seastar::future<int> throwsAnyPointer(bool quiet) {
  std::exception_ptr p;
  try {
    co_return co_await opened(1);
  } catch (...) {
    p = std::current_exception();
  }
  co_await undo();
  if (!quiet)
    throw p;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this throws the exception_ptr itself, not the exception it holds: no handler for that will match; rethrow what it holds
  // CHECK-FIXES: std::rethrow_exception(p);
  co_return 0;
}

seastar::future<int> expectsPointer() {
  try {
    std::exception_ptr p;
    co_await undo();
    throw p;
  } catch (std::exception_ptr p) {
    std::rethrow_exception(p);
  }
}

seastar::future<int> ask(seastar::abort_source &as);
seastar::future<int> anotherFuture(seastar::abort_source &as) {
  return ask(as).handle_exception([](std::exception_ptr) {
    // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'handle_exception' turns cancellation into another error
    return seastar::make_exception_future<int>(bad_gateway("ask"));
  });
}

//===--- What must stay silent --------------------------------------------===//

// What is thrown later has a reason of its own.
folly::coro::Task<> laterError(int limit) {
  for (int turn = 0;; ++turn) {
    try {
      co_await fetch();
      break;
    } catch (const std::exception &) {
    }
    if (turn > limit)
      throw bad_gateway("too often");
  }
}

// A callback of its own notes in an object who ended the work.
struct race_state {
  bool timed_out = false;
};
struct timer {
  template <class F> explicit timer(F) {}
};
folly::coro::Task<int> timerOfItsOwn() {
  race_state race;
  timer fires([&] { race.timed_out = true; });
  try {
    co_return co_await fetch();
  } catch (...) {
    if (race.timed_out)
      throw bad_gateway("too late");
    throw;
  }
}

// An earlier error that was kept, with what was tried to mend it dropped.
seastar::future<int> ask(seastar::abort_source &as);
seastar::future<> keptBefore(seastar::abort_source &as, std::exception_ptr before) {
  bool mended = false;
  try {
    (void)co_await ask(as);
    mended = true;
  } catch (...) {
  }
  if (!mended)
    co_await seastar::coroutine::return_exception_ptr(std::move(before));
}

// One cancellation type becomes another.
namespace project {
struct [[clang::annotate("async-tidy:cancellation")]] dropped : std::exception {};
} // namespace project
folly::coro::Task<int> translated() {
  try {
    co_return co_await fetch();
  } catch (const folly::OperationCancelled &) {
    throw project::dropped();
  }
}

asio::awaitable<int> sameMeaning(asio::ip::tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (const std::system_error &e) {
    if (e.code() == asio::error::operation_aborted)
      throw std::system_error(std::make_error_code(std::errc::operation_canceled));
    throw bad_gateway(e.what());
  }
}

folly::coro::Task<int> cancellationFirst() {
  try {
    co_return co_await fetch();
  } catch (const folly::OperationCancelled &) {
    throw;
  } catch (const std::exception &e) {
    throw bad_gateway(e.what());
  }
}

folly::coro::Task<int> silenced() {
  try {
    co_return co_await fetch();
  } catch (const std::exception &e) { // NOLINT(async-converted-cancellation)
    throw bad_gateway(e.what());
  }
}

#define WRAP_ERRORS(call)                                                      \
  try {                                                                        \
    co_return co_await call;                                                   \
  } catch (...) {                                                              \
    throw bad_gateway(#call);                                                  \
  }
folly::coro::Task<int> fromMacro() { WRAP_ERRORS(fetch()) }
// CHECK-MESSAGES: :[[@LINE-1]]:38: warning: 'catch (...)' turns cancellation into another error

template <class T> folly::coro::Task<T> instantiated() {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' turns cancellation into another error
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    throw bad_gateway("template");
  }
}
template folly::coro::Task<int> instantiated();
template folly::coro::Task<long> instantiated();

auto lambda = []() -> folly::coro::Task<int> {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' turns cancellation into another error
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    throw bad_gateway("lambda");
  }
};
