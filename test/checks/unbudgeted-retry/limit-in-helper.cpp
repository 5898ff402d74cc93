// RUN: %check %s async-unbudgeted-retry

// The limit of an attempt stands in a function of this file, which makes what
// it limits, or in an argument that the library's model knows.

#include "time/flow.h"
#include "time/folly.h"
#include "time/seastar.h"

using namespace std::chrono_literals;
using folly::coro::co_awaitTry;

folly::coro::Task<int> query(int id);
seastar::future<int> order(int item);
Future<int> ask(int id);

folly::coro::Task<int> once(int id) {
  co_return co_await folly::coro::timeout(query(id), 1s);
}
folly::coro::Task<int> retried(int id) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await once(id);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 1 s each can take 3 s; nothing limits the whole
      // CHECK-MESSAGES: :[[@LINE-4]]:3: note: the loop that tries again
      // CHECK-MESSAGES: :[[@LINE-8]]:22: note: the limit is set here
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

// Handed on without a coroutine, seen through an adapter.
folly::coro::Task<int> forwarded(int id) {
  return folly::coro::timeout(query(id), 500ms);
}
folly::coro::Task<int> retriedForwarded(int id) {
  for (int i = 0; i < 4; ++i) {
    auto answer = co_await co_awaitTry(forwarded(id));
    // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: 4 attempts of 500 ms each can take 2 s
    if (answer.hasValue())
      co_return answer.value();
  }
  throw folly::FutureTimeout();
}

folly::coro::Task<int> given(int id, std::chrono::milliseconds limit) {
  co_return co_await folly::coro::timeout(query(id), limit);
}
folly::coro::Task<int> retriedGiven(int id) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await given(id, 700ms);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 3 attempts of 700 ms each can take 2.1 s
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

seastar::future<int> orderOnce(int item) {
  co_return co_await seastar::with_timeout(seastar::lowres_clock::now() + 2s,
                                           order(item));
}
seastar::future<int> retriedOrder() {
  for (int i = 0; i < 3; ++i) {
    auto placed = co_await seastar::coroutine::as_future(orderOnce(i));
    // CHECK-MESSAGES: :[[@LINE-1]]:58: warning: 3 attempts of 2 s each can take 6 s
    if (!placed.failed())
      co_return placed.get();
  }
  throw seastar::timed_out_error();
}

Future<int> askOnce(int id) { co_return co_await timeoutError(ask(id), 1.5); }
Future<int> retriedAsk() {
  for (int i = 0; i < 4; ++i) {
    try {
      co_return co_await askOnce(i);
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 4 attempts of 1.5 s each can take 6 s
    } catch (Error &e) {
      if (e.code() == error_code_actor_cancelled)
        throw;
    }
  }
  co_return 0;
}

// Nothing comes back from here that would be tried again.
folly::coro::Task<int> orNothing(int id) {
  try {
    co_return co_await folly::coro::timeout(query(id), 1s);
  } catch (const folly::FutureTimeout &) {
    co_return -1;
  }
}
folly::coro::Task<int> swallowed(int id) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await orNothing(id);
    } catch (const std::exception &) {
    }
  }
  co_return 0;
}

// The caller's point in time is one for all attempts.
seastar::future<int> until(int item, seastar::lowres_clock::time_point end) {
  co_return co_await seastar::with_timeout(end, order(item));
}
seastar::future<int> retriedUntil(seastar::lowres_clock::time_point end) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await until(i, end);
    } catch (const seastar::timed_out_error &) {
    }
  }
  co_return 0;
}

// A budget object is asked for what is left.
struct Budget {
  std::chrono::milliseconds left() const;
};
folly::coro::Task<int> cutByBudget(Budget budget) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await folly::coro::timeout(
          query(i), std::min<std::chrono::milliseconds>(1s, budget.left()));
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

namespace seastar {
struct semaphore {
  future<> wait(std::size_t units = 1);
  future<> wait(lowres_clock::duration, std::size_t units = 1);
};
} // namespace seastar
seastar::future<bool> acquired(seastar::semaphore &slots) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_await slots.wait(500ms);
      // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 3 attempts of 500 ms each can take 1.5 s
      co_return true;
    } catch (const seastar::timed_out_error &) {
    }
  }
  co_return false;
}
seastar::future<bool> unlimited(seastar::semaphore &slots) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_await slots.wait(2);
      co_return true;
    } catch (const seastar::timed_out_error &) {
    }
  }
  co_return false;
}

namespace drogon {
template <class T> struct Task {
  struct promise_type : mock::promise<Task, T> {};
  mock::awaiter<T> operator co_await();
};
struct HttpClient {
  Task<int> sendRequestCoro(int request, double timeout = 0);
};
} // namespace drogon
drogon::Task<int> sent(drogon::HttpClient &client) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await client.sendRequestCoro(i, 5.0);
      // CHECK-MESSAGES: :[[@LINE-1]]:52: warning: 3 attempts of 5 s each can take 15 s
    } catch (const std::exception &) {
    }
  }
  co_return 0;
}
drogon::Task<int> sentWithoutLimit(drogon::HttpClient &client) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await client.sendRequestCoro(i, 0);
    } catch (const std::exception &) {
    }
  }
  co_return 0;
}
