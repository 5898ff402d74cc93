// RUN: %check %s async-swallowed-cancellation,async-ignored-cancellation-result

#include "cancellation/folly.h"
#include "cancellation/seastar.h"
#include <string>
#include <utility>
#include <vector>

seastar::future<int> ask(seastar::abort_source &);
folly::coro::Task<int> fetch();
void show(int);

// The answer says that it failed, and why.
struct Reply {
  bool ok = false;
  std::string error;
};
seastar::future<Reply> answersWithText(seastar::abort_source &as) {
  Reply reply;
  try {
    co_await ask(as);
    reply.ok = true;
  } catch (const std::exception &e) {
    reply.error = e.what();
  }
  co_return reply;
}
seastar::future<Reply> answersWithout(seastar::abort_source &as) {
  Reply reply;
  try {
    co_await ask(as);
  } catch (const std::exception &e) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation: the caller gets 'reply'
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (const std::exception &e) {
    reply.ok = false;
  }
  co_return reply;
}

// A result is given to somebody: through a reference, to a holder, as the last
// thing the coroutine says.
folly::coro::Task<> intoElement(std::vector<folly::Try<int>> &out) {
  auto &result = out[0];
  result = co_await folly::coro::co_awaitTry(fetch());
}
folly::coro::Task<folly::Try<int>> intoHolder() {
  folly::Try<int> result;
  try {
    show(co_await fetch());
  } catch (...) {
    result.emplaceException(folly::exception_wrapper(std::current_exception()));
  }
  co_return result;
}
folly::coro::Task<int> handsResultOn() {
  co_yield folly::coro::co_result(
      co_await folly::coro::co_awaitTry(fetch()));
}
folly::coro::Task<int> handsErrorOn() {
  folly::exception_wrapper error;
  try {
    co_return co_await fetch();
  } catch (...) {
    error = folly::exception_wrapper(std::current_exception());
  }
  co_yield folly::coro::co_error(error);
}

// The first of several errors is kept.
struct Record {
  bool hasError() const;
  folly::exception_wrapper error;
  Record &operator=(folly::exception_wrapper);
};
struct Consumer {
  Record record;
};
folly::coro::Task<> keepsFirst(Consumer *to) {
  folly::exception_wrapper error;
  try {
    co_await fetch();
  } catch (...) {
    error = folly::exception_wrapper(std::current_exception());
  }
  if (error) {
    if (!to->record.hasError())
      to->record = error;
  }
}
folly::coro::Task<> keepsFirstElsewhere(Consumer *to, Consumer *other) {
  folly::exception_wrapper error;
  try {
    co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    error = folly::exception_wrapper(std::current_exception());
  }
  if (error) {
    if (!to->record.hasError())
      other->record = error;
  }
}

// Asked by the caller of a function, not by a branch.
void expect(bool);
struct Mine : std::exception {};
folly::coro::Task<> askedForType() {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  expect(result.hasException<Mine>());
}

// Dropped by name.
seastar::future<> droppedOnPurpose(seastar::abort_source &as) {
  auto f = co_await seastar::coroutine::as_future(ask(as));
  f.ignore_ready_future();
}

// Waiting for this lock cannot be cancelled.
folly::coro::Task<int> locks(folly::coro::Mutex &m) {
  try {
    show(co_await folly::coro::co_viaIfAsync(1, m.co_scoped_lock()));
  } catch (...) {
    co_return 0;
  }
  co_return 1;
}

#define ADD_FAILURE() show(0)
folly::coro::Task<> testFails() {
  try {
    co_await fetch();
  } catch (...) {
    ADD_FAILURE();
  }
}

// Who asks for the cancellation by its name has an answer to it.
folly::coro::Task<bool> answersByName() {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  if (result.hasException<folly::OperationCancelled>())
    co_return false;
  if (result.hasException())
    co_yield folly::coro::co_error(std::move(result.exception()));
  co_return true;
}
folly::coro::Task<int> answersWithPart(int part) {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  if (result.hasException() && (!result.hasException<folly::OperationCancelled>() || part == 0))
    co_yield folly::coro::co_error(std::move(result.exception()));
  co_return part;
}
folly::coro::Task<bool> answersAnyError() {
  auto result = co_await folly::coro::co_awaitTry(fetch());
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'co_awaitTry' swallows cancellation: the caller gets 'false'
  if (result.hasException())
    co_return false;
  co_return true;
}

// Whatever this instance's callback does with it, it was told.
template <class F> folly::coro::Task<> tells(F callback) {
  callback(co_await folly::coro::co_awaitTry(fetch()));
}
folly::coro::Task<> tellsNobody() { return tells([](folly::Try<int>) {}); }

// A flag says what was put into it, whatever its name.
folly::coro::Task<int> flagOfItsOwn() {
  bool cancelled = false;
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
    if (cancelled)
      throw;
    co_return 0;
  }
}
folly::coro::Task<int> flagOfTheToken(folly::CancellationToken token) {
  try {
    co_return co_await fetch();
  } catch (...) {
    const bool cancelled = token.isCancellationRequested();
    if (cancelled)
      throw;
    co_return 0;
  }
}

// A pair of a code and the error's text.
folly::coro::Task<std::pair<int, std::string>> pairWithText() {
  try {
    co_await fetch();
    co_return std::make_pair(0, std::string());
  } catch (const std::exception &e) {
    co_return std::make_pair(7, std::string(e.what()));
  }
}
folly::coro::Task<std::pair<int, std::string>> pairWithout() {
  try {
    co_await fetch();
    co_return std::make_pair(0, std::string());
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation
    // CHECK-FIXES: } catch (const folly::OperationCancelled &) { throw; } catch (const std::exception &) {
    co_return std::make_pair(0, std::string());
  }
}
