// RUN: %check %s async-dropped-cancellation-token

#include "tokens/seastar.h"
#include "tokens/stop.h"

using namespace std::chrono_literals;
using seastar::abort_source;
using seastar::future;

future<int> fetch(abort_source &as);

// An overload takes it.
future<> overload(seastar::semaphore &slots, abort_source &as) {
  auto units = co_await seastar::get_units(slots, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: this wait does not end when 'as' is cancelled: an overload of 'get_units' takes it [async-dropped-cancellation-token]
  // CHECK-FIXES: auto units = co_await seastar::get_units(slots, 1, as);
  co_await fetch(as);
}

// So does a function of another name.
future<int> twin(abort_source &as) {
  for (;;) {
    if (int page = co_await fetch(as))
      co_return page;
    co_await seastar::sleep(1s);
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: this wait does not end when 'as' is cancelled: 'sleep_abortable' takes it
    // CHECK-FIXES: co_await seastar::sleep_abortable(1s, as);
  }
}

// A parameter with a default.
task<int> load(int key, std::stop_token stop = {});
task<int> byDefault(std::stop_token stop) {
  co_return co_await load(7);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this wait does not end when 'stop' is cancelled: 'load' takes it as its parameter 'stop'
  // CHECK-FIXES: co_return co_await load(7, stop);
}

// The source has a token to give.
task<int> fromSource(std::stop_source &source) {
  co_return co_await load(7);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this wait does not end when 'source' is cancelled
  // CHECK-FIXES: co_return co_await load(7, source.get_token());
}

// Not at the end: the author must say how.
future<> inFront(seastar::semaphore &slots, abort_source &as) {
  co_await slots.wait(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: this wait does not end when 'as' is cancelled: an overload of 'wait' takes it
}

// Which of two is meant only the author knows.
task<int> two(std::stop_token client, std::stop_token server) {
  int a = co_await load(1, client) + co_await load(2, server);
  co_return a + co_await load(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: this wait does not end when 'client' is cancelled
  // CHECK-MESSAGES: :[[@LINE-4]]:55: note: 'server' is in scope, too
}

// Members count where they are used.
struct worker {
  abort_source _as;
  future<> run() {
    while (!_as.abort_requested())
      co_await seastar::sleep(10s);
      // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: this wait does not end when '_as' is cancelled
      // CHECK-FIXES: co_await seastar::sleep_abortable(10s, _as);
  }
};

// A plain function whose caller awaits.
future<> forwards(abort_source *as) {
  return seastar::sleep(2s);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this wait does not end when 'as' is cancelled
  // CHECK-FIXES: return seastar::sleep_abortable(2s, *as);
}

// A lambda that has it.
future<> inLambda(abort_source &as) {
  auto pause = [&as]() -> future<> {
    co_await seastar::sleep(2s);
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: this wait does not end when 'as' is cancelled
    // CHECK-FIXES: co_await seastar::sleep_abortable(2s, as);
    as.check();
  };
  co_await pause();
}

// One finding for all instances.
template <class T> task<T> generic(T key, std::stop_token stop) {
  co_return co_await load(key);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this wait does not end when 'stop' is cancelled
  // CHECK-FIXES: co_return co_await load(key, stop);
}
template task<int> generic(int, std::stop_token);
template task<long> generic(long, std::stop_token);

#define PAUSE(time) co_await seastar::sleep(time)
future<> inMacro(abort_source &as) {
  co_await fetch(as);
  PAUSE(3s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this wait does not end when 'as' is cancelled
}

future<> suppressed(abort_source &as) {
  co_await fetch(as);
  co_await seastar::sleep(3s); // NOLINT(async-dropped-cancellation-token)
}

// Its callers believe that it can be cancelled.
future<int> compute(int);
future<int> unusedParameter(int key, abort_source &as) {
  // CHECK-MESSAGES: :[[@LINE-1]]:52: warning: 'as' is never used: 'unusedParameter' cannot be cancelled, although its callers may think so
  co_return co_await compute(key);
}

// A member that nobody breaks.
struct limited_service {
  abort_source &_as;
  seastar::semaphore _slots;
  future<> waits() {
    co_await seastar::sleep_abortable(1s, _as);
    co_await _slots.wait(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: this wait does not end when '_as' is cancelled: an overload of 'wait' takes it
  }
};

// A handler before that only logs has noticed nothing.
future<> afterLoggedError(abort_source &as) {
  seastar::logger log;
  for (;;) {
    try {
      co_await fetch(as);
      co_return;
    } catch (const seastar::timed_out_error &) {
      log.info("try again", std::current_exception());
    }
    co_await seastar::sleep(1s);
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: this wait does not end when 'as' is cancelled: 'sleep_abortable' takes it
    // CHECK-FIXES: co_await seastar::sleep_abortable(1s, as);
  }
}
