// RUN: %check %s async-swallowed-cancellation,async-retried-cancellation

#include "cancellation/seastar.h"
#include <vector>

using namespace std::chrono_literals;
seastar::logger log_;
seastar::future<> step(seastar::abort_source &);
seastar::future<> visit(int, seastar::abort_source &);

struct Fiber {
  seastar::abort_source &as;
  bool stopping() const { return as.abort_requested(); }
  seastar::future<> pause() { return seastar::sleep_abortable(1s, as); }

  // The loop ends when it is told to, so a handler may end it as well.
  seastar::future<> leavesLoop() {
    while (!as.abort_requested()) {
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        log_.info("stopped");
        break;
      }
    }
  }
  seastar::future<> conditionInHelper() {
    auto goOn = [this] { return !stopping(); };
    while (goOn()) {
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        break;
      } catch (...) {
        log_.error("failed");
      }
    }
  }
  seastar::future<int> answersInsideLoop() {
    while (!as.abort_requested()) {
      try {
        co_await step(as);
      } catch (...) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (...)' swallows cancellation: the caller gets '0'
        // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
        co_return 0;
      }
    }
    co_return 1;
  }

  // The next turn is about the next item, and what has the token behind the
  // loop fails.
  seastar::future<> eachItem(std::vector<int> items) {
    for (int item : items) {
      try {
        co_await visit(item, as);
      } catch (...) {
        log_.error("one failed");
      }
    }
    co_await pause();
  }
  seastar::future<> eachItemAndDone(std::vector<int> items) {
    for (int item : items) {
      try {
        co_await visit(item, as);
      } catch (...) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (...)' swallows cancellation: the coroutine goes on as if it had not been cancelled
        // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
        log_.error("one failed");
      }
    }
  }

  // The very next await has the token as well.
  seastar::future<> tokenAgain() {
    bool ok = true;
    try {
      co_await step(as);
    } catch (...) {
      ok = false;
    }
    co_await visit(ok, as);
  }
};
