// RUN: %check %s async-dropped-deadline --suffix DEFAULT
// RUN: %check %s async-dropped-deadline --suffix NAMES --option async-dropped-deadline.AllowedFunctions=ping

#include "tokens/seastar.h"

using namespace std::chrono_literals;
using seastar::future;
using clock_type = seastar::lowres_clock;

struct peer {
  future<bool> ping(int host, std::optional<clock_type::time_point> deadline = std::nullopt);
  future<int> read(int key);
  future<int> read(int key, clock_type::time_point timeout);
  future<int> history(int key, clock_type::time_point since = {});
  future<> close(clock_type::time_point deadline = {});
};

future<bool> alive(peer &p, clock_type::time_point deadline) {
  co_return co_await p.ping(1);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:24: warning: 'deadline' is not passed on: 'ping' takes a deadline and runs with its default here [async-dropped-deadline]
  // CHECK-MESSAGES-DEFAULT: :11:69: note: the parameter is here
  // CHECK-FIXES-DEFAULT: co_return co_await p.ping(1, deadline);
}

future<int> overload(peer &p, clock_type::time_point timeout) {
  co_return co_await p.read(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'timeout' is not passed on: 'read' takes a deadline and runs without one here
  // CHECK-FIXES: co_return co_await p.read(1, timeout);
}

// Passed, or something made of it.
future<int> passed(peer &p, clock_type::time_point deadline) {
  co_await p.ping(1, deadline);
  co_await p.ping(2, deadline - 10ms);
  co_return co_await seastar::with_timeout(deadline, p.read(1));
}

// Another point in time.
future<int> since(peer &p, clock_type::time_point deadline) {
  co_return co_await p.history(1);
}
future<int> asOf(peer &p, clock_type::time_point as_of) {
  co_return co_await p.read(1);
}

// Tidying up takes the time it needs.
future<> tidies(peer &p, clock_type::time_point deadline) {
  co_await p.close();
}
future<bool> stop_all(peer &p, clock_type::time_point deadline) {
  co_return co_await p.ping(1);
}
future<bool> two(peer &p, clock_type::time_point deadline, clock_type::time_point soft_deadline) {
  co_return co_await p.ping(1);
}
future<bool> suppressed(peer &p, clock_type::time_point deadline) {
  co_return co_await p.ping(1); // NOLINT(async-dropped-deadline)
}

//===--- Timeouts ---------------------------------------------------------===//

using std::chrono::milliseconds;
struct client {
  future<int> ask(int key, milliseconds timeout = 30s);
  future<int> tell(int key, milliseconds io_timeout = 30s);
  future<> pause(milliseconds age = 1s);
};

future<int> secondStep(client &c, milliseconds timeout) {
  int first = co_await c.ask(1, timeout);
  co_return first + co_await c.ask(2);
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'timeout' is not passed on: 'ask' takes a timeout and runs with its default here
}

// It may be for another step.
future<int> otherName(client &c, milliseconds timeout) {
  co_return co_await c.tell(1);
}
future<> noTimeout(client &c, milliseconds age) { co_await c.pause(); }
future<int> cut(client &c, milliseconds timeout) {
  co_return co_await c.ask(1, timeout / 2);
}
