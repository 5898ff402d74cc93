// RUN: %check %s async-swallowed-cancellation --suffix DEFAULT
// RUN: %check %s async-swallowed-cancellation --suffix STRICT --option async-swallowed-cancellation.AllowTopLevelDetached=false --option async-swallowed-cancellation.AllowChildCancel=false --option async-swallowed-cancellation.AllowTokenGuard=false
// RUN: %check %s async-swallowed-cancellation --suffix NAMED --option "async-swallowed-cancellation.CancellationTypes=project::halted" --option "async-swallowed-cancellation.HandlerCallees=project::redeliver"

#include "cancellation/asio.h"
#include "cancellation/folly.h"

folly::coro::Task<int> fetch();
namespace project {
struct halted : std::exception {};
void redeliver();
} // namespace project

asio::awaitable<> root(asio::ip::tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
    // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
  }
}
void start(asio::executor ex, asio::ip::tcp::socket &s) { asio::co_spawn(ex, root(s), asio::detached); }

asio::awaitable<> ownChild(asio::steady_timer &t, asio::awaitable<> child) {
  t.cancel();
  try {
    co_await std::move(child);
  } catch (...) {
    // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
  }
}

folly::coro::Task<int> asked(folly::CancellationToken token) {
  try {
    co_return co_await fetch();
  } catch (...) {
    // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    // CHECK-FIXES-STRICT: } catch (const folly::OperationCancelled &) { throw; } catch (...) {
  }
  if (token.isCancellationRequested())
    co_return 0;
  throw 1;
}

folly::coro::Task<int> namedType() {
  try {
    co_return co_await fetch();
  } catch (const project::halted &) {
    // CHECK-MESSAGES-NAMED: :[[@LINE-1]]:5: warning: 'catch (const project::halted &)' swallows cancellation
    co_return 0;
  }
}

// The name says nothing by itself, so only the option makes this right.
folly::coro::Task<int> namedCallee() {
  try {
    co_return co_await fetch();
  } catch (const folly::OperationCancelled &) {
    // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:5: warning: 'catch (const folly::OperationCancelled &)' swallows cancellation
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:5: warning: 'catch (const folly::OperationCancelled &)' swallows cancellation
    project::redeliver();
    co_return 0;
  }
}
