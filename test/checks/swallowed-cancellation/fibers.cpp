// RUN: %check %s async-swallowed-cancellation,async-retried-cancellation,async-converted-cancellation

// Work in the background, which ends where it is stopped, and work that merely
// looks like it.

#include "cancellation/seastar.h"

using namespace std::chrono_literals;
seastar::logger logger_;
seastar::future<> step(seastar::abort_source &);
seastar::future<int> next(seastar::abort_source &);
template <class F> seastar::future<> discardAfter(F &&);
namespace seastar {
template <class F> future<> futurize_invoke(F &&);
}

struct Service {
  seastar::abort_source &as;
  seastar::future<> _pruner, _end, _loop;
  bool shutting_down() const;

  // Kept in a member, as it is or with what handles its error: who stops the
  // service waits for it there.
  explicit Service(seastar::abort_source &as) : as(as), _pruner(seastar::make_ready_future()), _end(seastar::make_ready_future()), _loop(pollOnce()) {}
  seastar::future<> pollOnce() {
    try {
      co_await step(as);
    } catch (const seastar::abort_requested_exception &) {
      logger_.info("stopped");
    }
  }
  void start() {
    _pruner = seastar::futurize_invoke([this]() -> seastar::future<> {
      try {
        co_await step(as);
        co_await step(as);
      } catch (const seastar::sleep_aborted &) {
        co_return;
      }
    });
    _end = step(as).handle_exception([](std::exception_ptr) { logger_.error("failed"); });
  }
  seastar::future<> startAndWait() {
    co_await step(as).handle_exception([](std::exception_ptr) { logger_.error("failed"); });
    // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'handle_exception' swallows cancellation
  }

  // A step of work that is thrown away.
  void throwsAway() {
    (void)discardAfter([this] {
      return step(as).handle_exception([](std::exception_ptr) { logger_.error("failed"); });
    });
  }
  seastar::future<> waitsForIt() {
    co_await discardAfter([this] {
      return step(as).handle_exception([](std::exception_ptr) { logger_.error("failed"); });
      // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'handle_exception' swallows cancellation
    });
  }

  // It has no other end, so nobody takes this for success.
  seastar::future<> forEver() {
    while (true) {
      bool again = false;
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        break;
      } catch (...) {
        again = true;
      }
      if (again)
        co_await seastar::sleep(1s);
    }
    logger_.info("stopped");
  }
  seastar::future<> handlerAroundLoop() {
    try {
      for (;;)
        co_await step(as);
    } catch (const seastar::abort_requested_exception &) {
      logger_.info("stopped");
    }
  }
  seastar::future<> endsByItself(int turns) {
    while (true) {
      if (--turns == 0)
        co_return;
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (const seastar::abort_requested_exception &)' swallows cancellation
        break;
      }
    }
  }
  seastar::future<int> hasResult() {
    while (true) {
      try {
        (void)co_await next(as);
      } catch (const seastar::abort_requested_exception &) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (const seastar::abort_requested_exception &)' swallows cancellation: the caller gets '0'
        co_return 0;
      }
    }
  }

  // Without a result, to leave the loop that asks is to leave the function.
  seastar::future<> leavesFromLoop(bool off) {
    if (off)
      co_return;
    while (!as.abort_requested()) {
      try {
        co_await step(as);
      } catch (const seastar::sleep_aborted &) {
        co_return;
      }
      co_await seastar::sleep(1s);
    }
  }

  // The loop asks when it begins again.
  seastar::future<> asksInLoop() {
    for (;;) {
      if (as.abort_requested())
        co_return;
      try {
        co_await step(as);
      } catch (const seastar::sleep_aborted &) {
      }
    }
  }
  seastar::future<> asksOnlyForLog() {
    for (;;) {
      if (as.abort_requested())
        logger_.info("stopping");
      try {
        co_await seastar::sleep_abortable(1s, as);
      } catch (const seastar::sleep_aborted &) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (const seastar::sleep_aborted &)' retries after cancellation
      }
    }
  }
};

// A signal between two parts of one function.
struct stop_signal {};
seastar::future<> visitAll(seastar::abort_source &as) {
  try {
    auto one = [&as]() -> seastar::future<> {
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        throw stop_signal();
      }
    };
    for (;;)
      co_await one();
  } catch (const stop_signal &) {
    logger_.info("stopped");
  }
}
seastar::future<> signalForNobody(seastar::abort_source &as) {
  try {
    auto one = [&as]() -> seastar::future<> {
      try {
        co_await step(as);
      } catch (const seastar::abort_requested_exception &) {
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'catch (const seastar::abort_requested_exception &)' turns cancellation into another error
        throw stop_signal();
      }
    };
    co_await one();
  } catch (const std::exception &) {
    logger_.info("failed");
    throw;
  }
}

// The child was told to stop, unless it had been before.
seastar::future<> ownChild(seastar::abort_source &child) {
  auto work = step(child);
  if (!child.abort_requested())
    child.request_abort();
  try {
    co_await std::move(work);
  } catch (...) {
    logger_.error("unexpected");
  }
}
seastar::future<> childMayLive(seastar::abort_source &child, bool enough) {
  auto work = step(child);
  if (enough) {
    child.request_abort();
  }
  try {
    co_await std::move(work);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
    logger_.error("failed");
  }
}
