// RUN: %check %s async-swallowed-cancellation

// Whether a cancellation can arrive, as what, and which handler takes it.

#include "cancellation/asio.h"
#include "cancellation/folly.h"
#include "cancellation/seastar.h"

seastar::future<int> ask(seastar::abort_source &as);
seastar::future<int> askNobody();

namespace project {
struct left : std::exception {};
struct [[clang::annotate("async-tidy:cancellation")]] dropped : std::exception {};
struct stopped_by_user : seastar::abort_requested_exception {};
} // namespace project

// A row of handlers that lets through the project's own type only.
seastar::future<int> partialRow(seastar::abort_source &as) {
  try {
    co_return co_await ask(as);
  } catch (const project::left &) {
    throw;
  } catch (const project::dropped &) {
    throw;
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
    co_return 0;
  }
}

// Rethrowing a derived type is not enough.
seastar::future<int> derivedOnly(seastar::abort_source &as) {
  try {
    co_return co_await ask(as);
  } catch (const seastar::sleep_aborted &) {
    throw;
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation
    // CHECK-FIXES: catch (const seastar::abort_requested_exception &) { throw; } catch (const std::exception &) {
    co_return 0;
  }
}

seastar::future<int> wholeRow(seastar::abort_source &as) {
  try {
    co_return co_await ask(as);
  } catch (const seastar::abort_requested_exception &) {
    throw;
  } catch (...) {
    co_return 0;
  }
}

// The project's annotated type is a cancellation by itself.
folly::coro::Task<int> annotated(folly::coro::Task<int> t) {
  try {
    co_return co_await std::move(t);
  } catch (const project::dropped &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const project::dropped &)' swallows cancellation: the caller gets '0'
    co_return 0;
  }
}

// Passed on by hand, cancellation needs somebody to have passed it.
seastar::future<int> noAbortSource() {
  try {
    co_return co_await askNobody();
  } catch (...) {
    co_return 0;
  }
}

struct Service {
  seastar::abort_source &as;
  seastar::future<int> askMember();
  seastar::future<int> fromMember() {
    try {
      co_return co_await askMember();
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' swallows cancellation: the caller gets '0'
      // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
      co_return 0;
    }
  }
  // What is not given the token knows nothing of it.
  seastar::future<int> withoutIt() {
    try {
      co_return co_await askNobody();
    } catch (...) {
      co_return 0;
    }
  }
  seastar::future<int> askInside() { return askNobody(); }
  seastar::future<int> nobodyInside() {
    try {
      co_return co_await askInside();
    } catch (...) {
      co_return 0;
    }
  }
  seastar::future<int> askWithToken() { return ask(as); }
  seastar::future<int> tokenInside() {
    try {
      co_return co_await askWithToken();
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' swallows cancellation: the caller gets '0'
      // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
      co_return 0;
    }
  }
};

// Tokens travel in other objects, and unknown work may look at the one around.
#include <functional>
#include <variant>
struct Budget {
  std::variant<std::monostate, Budget *, seastar::abort_source *> parent;
};
seastar::future<int> askWithin(Budget &);
struct Client {
  Budget &budget;
  seastar::future<int> once() {
    Budget mine{&budget};
    co_return co_await askWithin(mine);
  }
  seastar::future<int> carried() {
    try {
      co_return co_await once();
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' swallows cancellation: the caller gets '0'
      // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
      co_return 0;
    }
  }
};
seastar::future<int> unknownWork(seastar::abort_source &as,
                                 std::function<seastar::future<int>()> work) {
  try {
    co_return co_await work();
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
    co_return 0;
  }
}

// Fired by nobody, or only by a timer of the function's own.
seastar::future<int> freshSource() {
  seastar::abort_source own;
  try {
    co_return co_await ask(own);
  } catch (...) {
    co_return 0;
  }
}
seastar::future<int> handedDown(seastar::abort_source &as) {
  seastar::abort_source own;
  auto link = as.subscribe([&own]() noexcept { own.request_abort(); });
  try {
    co_return co_await ask(own);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation: the caller gets '0'
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
    co_return 0;
  }
}

// A closed gate also means something else, so its handler is no sign.
seastar::future<int> closedGate(seastar::abort_source &as) {
  try {
    co_return co_await ask(as);
  } catch (const seastar::gate_closed_exception &) {
    co_return 0;
  }
}

// An error class that no cancellation is.
folly::coro::Task<int> otherClass(folly::coro::Task<int> t) {
  try {
    co_return co_await std::move(t);
  } catch (const project::left &) {
    co_return 0;
  }
}

// A task type nobody has described: nothing is known to cancel it.
template <class T> struct own_task {
  using promise_type = mock::promise<own_task, T>;
  mock::awaiter<T> operator co_await();
};
own_task<int> step();
own_task<int> unknownLibrary() {
  try {
    co_return co_await step();
  } catch (...) {
    co_return 0;
  }
}

// … but a handler that names a cancellation says that there is one.
struct operation_cancelled : std::exception {};
namespace project {
struct operation_cancelled : std::exception {};
} // namespace project
own_task<int> namedInUnknownLibrary() {
  try {
    co_return co_await step();
  } catch (const project::operation_cancelled &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const project::operation_cancelled &)' swallows cancellation: the caller gets '0'
    co_return 0;
  }
}

// The executor is had without waiting; a result with a code does not throw.
asio::awaitable<int> nothingThrows(asio::ip::tcp::socket &s) {
  try {
    auto state = co_await asio::this_coro::cancellation_state;
    auto [ec, n] = co_await s.async_read_some(asio::as_tuple);
    co_return ec ? -1 : n;
  } catch (...) {
    co_return 0;
  }
}

// No token is passed where one could be.
seastar::future<> send(int, seastar::abort_source *as = nullptr);
seastar::future<> defaulted() {
  try {
    co_await send(1);
    co_await send(2, nullptr);
  } catch (...) {
  }
}
seastar::future<> passed(seastar::abort_source *as) {
  try {
    co_await send(1, as);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
  }
}

// What is left over is found another time.
seastar::future<> remove_file(int, seastar::abort_source &);
seastar::future<> replay(int, seastar::abort_source &);
seastar::future<> tidies(seastar::abort_source &as) {
  try {
    co_await remove_file(1, as);
  } catch (...) {
  }
}
seastar::future<> tidiesAndWorks(seastar::abort_source &as) {
  try {
    co_await remove_file(1, as);
    co_await replay(2, as);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
  }
}

// Nor to a function of this file that would pass it on.
seastar::future<> sendTwice(int n, seastar::abort_source *as = nullptr) {
  co_await send(n, as);
  co_await send(n, as);
}
seastar::future<> defaultedOutside() {
  try {
    co_await sendTwice(1);
  } catch (...) {
  }
}
seastar::future<> passedThrough(seastar::abort_source &as) {
  try {
    co_await sendTwice(1, &as);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    // CHECK-FIXES: } catch (const seastar::abort_requested_exception &) { throw; } catch (...) {
  }
}
