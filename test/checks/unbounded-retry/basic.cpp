// RUN: %check %s async-unbounded-retry --suffix DEFAULT
// RUN: %check %s async-unbounded-retry --suffix PAUSED --option async-unbounded-retry.AllowPaused=true --option "async-unbounded-retry.AllowedFunctions=connected"

#include "time/folly.h"
#include "time/seastar.h"
#include <optional>
#include <stdexcept>

using namespace std::chrono_literals;

struct store {
  seastar::future<int> read(int key);
  seastar::future<int> read(int key, seastar::abort_source &);
  seastar::future<std::optional<int>> find(int key);
};
void log(const char *);
folly::coro::Task<int> fetch();
folly::coro::Task<void> refresh();

seastar::future<int> paused(store &s) {
  while (true) {
    // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: this tries again for ever when 'read' fails: nothing counts the attempts or limits their time [async-unbounded-retry]
    // CHECK-MESSAGES-DEFAULT: :[[@LINE+2]]:17: note: this is tried again
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &e) {
      log(e.what());
    }
    co_await seastar::sleep(1s);
  }
}

folly::coro::Task<int> withoutPause() {
  for (;;) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever and without a pause when 'fetch' fails: nothing counts the attempts or limits their time
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}

// The counter does not see the failure that goes round.
folly::coro::Task<int> countsTheOther() {
  for (int failures = 0; failures < 3;) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever and without a pause when 'fetch' fails
    try {
      co_return co_await fetch();
    } catch (const std::logic_error &) {
      continue;
    } catch (const std::runtime_error &) {
      ++failures;
    }
  }
  throw std::runtime_error("too often");
}

// What kind of error it is bounds nothing.
bool isTransient(const std::exception &);
folly::coro::Task<int> byKind() {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever and without a pause when 'fetch' fails
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &e) {
      if (!isTransient(e))
        throw;
    }
  }
}

// Two steps of one attempt are one finding.
folly::coro::Task<int> twoSteps() {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever and without a pause when 'refresh' fails
    try {
      co_await refresh();
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}

template <class T> folly::coro::Task<T> instantiated() {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}
template folly::coro::Task<int> instantiated();
template folly::coro::Task<long> instantiated();

auto lambda = []() -> folly::coro::Task<int> {
  while (true) {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
};

#define FOREVER while (true)
folly::coro::Task<int> fromMacro() {
  FOREVER {
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this tries again for ever
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}

folly::coro::Task<int> connected() {
  while (true) {
    // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: this tries again for ever
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}

//===--- What must stay silent --------------------------------------------===//

folly::coro::Task<int> counted() {
  for (int i = 0;; ++i) {
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
      if (i == 5)
        throw;
    }
  }
}

seastar::future<int> countSelects(store &s) {
  int attempts = 0;
  while (true) {
    int key = attempts++ < 5 ? attempts : 0;
    try {
      co_return co_await s.read(key);
    } catch (const std::runtime_error &) {
      if (key != 0)
        continue;
      throw;
    }
  }
}

seastar::future<int> untilDeadline(store &s, seastar::lowres_clock::time_point deadline) {
  while (true) {
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &) {
      if (seastar::lowres_clock::now() > deadline)
        throw;
    }
    co_await seastar::sleep(10ms);
  }
}

seastar::future<int> abortablePause(store &s, seastar::abort_source &as) {
  while (true) {
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &) {
    }
    co_await seastar::sleep_abortable(1s, as);
  }
}

seastar::future<int> tokenPassed(store &s, seastar::abort_source &as) {
  while (true) {
    try {
      co_return co_await s.read(1, as);
    } catch (const std::runtime_error &) {
    }
  }
}

seastar::future<int> asks(store &s, seastar::abort_source &as) {
  while (true) {
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &) {
      if (as.abort_requested())
        throw;
    }
  }
}

// Whoever calls says when it is enough.
template <class Policy> folly::coro::Task<int> byPolicy(Policy policy) {
  while (true) {
    std::exception_ptr error;
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
      error = std::current_exception();
    }
    co_await policy(error);
  }
}
folly::coro::Task<void> thrice(std::exception_ptr);
folly::coro::Task<int> usesPolicy() { return byPolicy(thrice); }

// Others can say that it is enough: this object, or who handed the flag in.
struct worker {
  bool can_proceed() const;
  seastar::future<bool> retry(std::exception_ptr);
  seastar::future<int> whileAllowed(store &s) {
    while (true) {
      if (!can_proceed())
        co_return 0;
      try {
        co_return co_await s.read(1);
      } catch (const std::runtime_error &) {
      }
    }
  }
  // The answer about the error decides.
  seastar::future<int> askedAbout(store &s) {
    while (true) {
      std::exception_ptr error;
      try {
        co_return co_await s.read(1);
      } catch (const std::runtime_error &) {
        error = std::current_exception();
      }
      if (!co_await retry(error))
        co_return 0;
    }
  }
};
seastar::future<int> flagHandedIn(store &s, const bool &closing) {
  while (true) {
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &) {
      if (closing)
        throw;
    }
  }
}
struct backoff {
  bool again(const std::exception &);
};
seastar::future<int> counting(store &s, backoff b) {
  while (true) {
    try {
      co_return co_await s.read(1);
    } catch (const std::runtime_error &e) {
      if (!b.again(e))
        throw;
    }
  }
}

// Not there yet is no failure.
seastar::future<int> poll(store &s) {
  while (true) {
    if (auto found = co_await s.find(1))
      co_return *found;
    co_await seastar::sleep(10ms);
  }
}

// Success goes on.
folly::coro::Task<void> service() {
  while (true) {
    try {
      co_await refresh();
    } catch (const std::runtime_error &) {
    }
    co_await folly::coro::sleep(1s);
  }
}

folly::coro::Task<int> limitedByCaller() {
  while (true) {
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}
folly::coro::Task<int> caller() { return folly::coro::timeout(limitedByCaller(), 5s); }

folly::coro::Task<int> suppressed() {
  while (true) { // NOLINT(async-unbounded-retry)
    try {
      co_return co_await fetch();
    } catch (const std::runtime_error &) {
    }
  }
}
