// RUN: %check %s async-uncancellable-work-under-timeout --suffix DEFAULT
// RUN: %check %s async-uncancellable-work-under-timeout --suffix MORE \
// RUN:   --option async-uncancellable-work-under-timeout.OffloadFunctions=elsewhere \
// RUN:   --option async-uncancellable-work-under-timeout.AllowedFunctions=allowed \
// RUN:   --option async-uncancellable-work-under-timeout.WarnOnByRefCapture=false

#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using folly::coro::timeout;
using folly::via;

int render(int id);

template <class F> folly::coro::Task<int> elsewhere(F work) { throw work; }
folly::coro::Task<int> named() {
  co_return co_await timeout(elsewhere([] { return render(1); }), 1s);
  // CHECK-MESSAGES-MORE: :[[@LINE-1]]:22: warning: this timeout of 1 s is late: 'elsewhere' runs the work on another thread
}

static folly::coro::Task<int> allowed(folly::Executor *pool) {
  co_return co_await via(pool, [] { return render(1); }).semi();
}
folly::coro::Task<int> permitted(folly::Executor *pool) {
  co_return co_await timeout(allowed(pool), 1s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:22: warning: this timeout of 1 s is late
}

seastar::future<int> transmit(seastar::semaphore_units<> memory);
seastar::future<int> holds(seastar::semaphore_units<> memory) {
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 1s,
                                           transmit(std::move(memory)));
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-2]]:22: warning: after 1 s the caller goes on
}

folly::coro::Task<int> leaks(folly::Executor *pool) {
  int pages = 3;
  co_return co_await via(pool, [&] { return render(pages); }).semi().within(500ms);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: after 500 ms the caller goes on
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-2]]:32: note: the work refers to 'pages'
}
