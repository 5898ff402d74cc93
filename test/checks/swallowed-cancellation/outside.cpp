// RUN: %check %s async-swallowed-cancellation,async-retried-cancellation

// Whether anybody outside can cancel the coroutine, and looks at how it ends.

#include "cancellation/race.h"

using asio::ip::tcp;
using namespace asio::experimental::awaitable_operators;

asio::awaitable<> watchdog(int seconds);

// One side of a race that nobody cancels: when it is cancelled, it has lost.
asio::awaitable<> readUntilClosed(tcp::socket &s) {
  try {
    for (;;)
      co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
  }
}
asio::awaitable<> session(tcp::socket &s) {
  co_await (readUntilClosed(s) || watchdog(30));
}
void accept(asio::executor ex, tcp::socket &s) {
  asio::co_spawn(ex, session(s), asio::detached);
}

// The race itself may be cancelled by whoever calls this.
asio::awaitable<> readInRace(tcp::socket &s) {
  try {
    co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
  }
}
asio::awaitable<> limited(tcp::socket &s) {
  co_await (readInRace(s) || watchdog(30));
}

// What it yields is looked at.
asio::awaitable<int> countInRace(tcp::socket &s) {
  try {
    co_return co_await s.async_read_some(asio::use_awaitable);
  } catch (...) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (...)' swallows cancellation
    co_return 0;
  }
}
asio::awaitable<> counting(tcp::socket &s) {
  auto first = co_await (countInRace(s) || watchdog(30));
  (void)first;
}
void count(asio::executor ex, tcp::socket &s) {
  asio::co_spawn(ex, counting(s), asio::detached);
}

// Awaited by roots alone, which nobody can cancel.
asio::awaitable<> answer(tcp::socket &s) {
  try {
    co_await s.async_write_some(asio::use_awaitable);
  } catch (const std::exception &) {
  }
}
asio::awaitable<> serve(tcp::socket &s) {
  co_await answer(s);
  co_await answer(s);
}
void start(asio::executor ex, tcp::socket &s) {
  asio::co_spawn(ex, serve(s), asio::detached);
}

// The same, but its root is started so that it can be cancelled.
asio::awaitable<> reply(tcp::socket &s) {
  try {
    co_await s.async_write_some(asio::use_awaitable);
  } catch (const std::exception &) {
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'catch (const std::exception &)' swallows cancellation
  }
}
asio::awaitable<> talk(tcp::socket &s) {
  co_await reply(s);
  co_await reply(s);
}
void startStoppable(asio::executor ex, tcp::socket &s, asio::cancellation_signal &stop) {
  asio::co_spawn(ex, talk(s), asio::bind_cancellation_slot(stop.slot(), asio::detached));
}

// Who has lost a race may end, but not go on.
asio::awaitable<> answerAnyway(tcp::socket &s) {
  for (;;) {
    try {
      co_await s.async_read_some(asio::use_awaitable);
    } catch (...) {
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'catch (...)' retries after cancellation
    }
    co_await s.async_write_some(asio::use_awaitable);
  }
}
asio::awaitable<> answering(tcp::socket &s) {
  co_await (answerAnyway(s) || watchdog(30));
}
void answerLoop(asio::executor ex, tcp::socket &s) {
  asio::co_spawn(ex, answering(s), asio::detached);
}
