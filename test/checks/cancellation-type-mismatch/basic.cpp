// RUN: %check %s async-cancellation-type-mismatch

#include "cancellation/asio.h"

using namespace std::chrono_literals;
using asio::awaitable;
using asio::cancel_after;
using asio::cancellation_type;
using asio::use_awaitable;
namespace this_coro = asio::this_coro;

awaitable<int> fetch();

awaitable<int> listensToAll() {
  co_await this_coro::reset_cancellation_state(
      asio::enable_total_cancellation());
  co_return co_await fetch();
}

awaitable<int> setsTheDefault() {
  co_await this_coro::reset_cancellation_state(
      asio::enable_terminal_cancellation());
  co_return co_await fetch();
}

awaitable<int> listensToPartial() {
  co_await this_coro::reset_cancellation_state(
      asio::enable_partial_cancellation());
  co_return co_await fetch();
}

awaitable<int> listensTooLate() {
  int n = co_await fetch();
  co_await this_coro::reset_cancellation_state(
      asio::enable_total_cancellation());
  co_return n;
}

awaitable<int> listensFurtherIn() { co_return co_await listensToAll() + 1; }

awaitable<int> forwards(int) { return listensToAll(); }

awaitable<int> filtersItself() {
  co_await this_coro::reset_cancellation_state(
      [](cancellation_type t) { return t; });
  co_return co_await fetch();
}

awaitable<> timeouts(asio::executor e) {
  co_await co_spawn(e, fetch(),
                    cancel_after(1s, cancellation_type::total, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: this timeout never ends the coroutine, which does not listen to 'total' requests; the mildest it listens to is 'terminal' [async-cancellation-type-mismatch]
  // CHECK-MESSAGES: :[[@LINE-3]]:12: note: it is started here, and sets no filter that lets milder requests through before it waits
  // CHECK-FIXES: cancel_after(1s, cancellation_type::terminal, use_awaitable));
  co_await co_spawn(
      e, setsTheDefault(),
      cancel_after(1s, cancellation_type::partial, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: this timeout never ends the coroutine, which does not listen to 'partial' requests; the mildest it listens to is 'terminal' [async-cancellation-type-mismatch]
  // CHECK-FIXES: cancel_after(1s, cancellation_type::terminal, use_awaitable));
  co_await co_spawn(e, listensToPartial(),
                    cancel_after(2s, cancellation_type::total, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: this timeout never ends the coroutine, which does not listen to 'total' requests; the mildest it listens to is 'partial' [async-cancellation-type-mismatch]
  // CHECK-FIXES: cancel_after(2s, cancellation_type::partial, use_awaitable));
  co_await co_spawn(e, listensTooLate(),
                    cancel_after(3s, cancellation_type::total, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: this timeout never ends
  // CHECK-FIXES: cancel_after(3s, cancellation_type::terminal, use_awaitable));
  co_await co_spawn(
      e, []() -> awaitable<> { co_await fetch(); },
      cancel_after(4s, cancellation_type::partial, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: this timeout never ends
  // CHECK-FIXES: cancel_after(4s, cancellation_type::terminal, use_awaitable));
}

awaitable<> inVariable(asio::executor e) {
  auto work = fetch();
  co_await co_spawn(
      e, std::move(work),
      cancel_after(5s, cancellation_type::partial, use_awaitable));
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: this timeout never ends
  // CHECK-FIXES: cancel_after(5s, cancellation_type::terminal, use_awaitable));
}

awaitable<> heard(asio::executor e, asio::steady_timer &t,
                  cancellation_type given) {
  co_await co_spawn(e, fetch(), cancel_after(1s, use_awaitable));
  co_await co_spawn(
      e, fetch(), cancel_after(1s, cancellation_type::terminal, use_awaitable));
  co_await co_spawn(e, fetch(),
                    cancel_after(1s, cancellation_type::all, use_awaitable));
  co_await co_spawn(e, fetch(),
                    cancel_after(1s,
                                 cancellation_type::total |
                                     cancellation_type::terminal,
                                 use_awaitable));
  co_await co_spawn(e, fetch(), cancel_after(1s, given, use_awaitable));
  co_await co_spawn(e, listensToAll(),
                    cancel_after(1s, cancellation_type::total, use_awaitable));
  co_await co_spawn(
      e, listensToPartial(),
      cancel_after(1s, cancellation_type::partial, use_awaitable));
  co_await co_spawn(e, listensFurtherIn(),
                    cancel_after(1s, cancellation_type::total, use_awaitable));
  co_await co_spawn(e, forwards(1),
                    cancel_after(1s, cancellation_type::total, use_awaitable));
  co_await co_spawn(e, filtersItself(),
                    cancel_after(1s, cancellation_type::total, use_awaitable));
  co_await co_spawn(
      e, []() -> awaitable<> { co_await listensToAll(); },
      cancel_after(1s, cancellation_type::total, use_awaitable));
  // An operation supports what it supports, without a filter.
  co_await t.async_wait(
      cancel_after(1s, cancellation_type::total, use_awaitable));
}

void signals(asio::executor e) {
  constexpr auto gently = cancellation_type::partial;
  asio::cancellation_signal deaf, wide, hard, computed;
  co_spawn(e, fetch(), bind_cancellation_slot(deaf.slot(), asio::detached));
  deaf.emit(cancellation_type::total);
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: this request is dropped: the coroutine does not listen to 'total' requests; the mildest it listens to is 'terminal' [async-cancellation-type-mismatch]
  // CHECK-MESSAGES: :[[@LINE-3]]:3: note: it is started here
  // CHECK-FIXES: deaf.emit(cancellation_type::terminal);
  deaf.emit(cancellation_type::terminal);
  co_spawn(e, listensToAll(),
           bind_cancellation_slot(wide.slot(), asio::detached));
  wide.emit(cancellation_type::total);
  co_spawn(e, fetch(), bind_cancellation_slot(hard.slot(), asio::detached));
  hard.emit(cancellation_type::all);
  co_spawn(e, listensToPartial(),
           bind_cancellation_slot(computed.slot(), asio::detached));
  computed.emit(gently);
}

class Session {
public:
  void run(asio::executor e) {
    co_spawn(e, fetch(), bind_cancellation_slot(stop_.slot(), asio::detached));
  }
  void stop() { stop_.emit(cancellation_type::total); }
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: this request is dropped
  // CHECK-FIXES: void stop() { stop_.emit(cancellation_type::terminal); }

private:
  asio::cancellation_signal stop_;
};

struct Open {
  asio::cancellation_signal stop, handed;
  void run(asio::executor e) {
    co_spawn(e, fetch(), bind_cancellation_slot(stop.slot(), asio::detached));
    co_spawn(e, fetch(), bind_cancellation_slot(handed.slot(), asio::detached));
  }
};
void connect(asio::cancellation_signal &);
void stops(Open &o) {
  o.stop.emit(cancellation_type::partial);
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: this request is dropped
  // CHECK-FIXES: o.stop.emit(cancellation_type::terminal);
  connect(o.handed);
  o.handed.emit(cancellation_type::partial);
}

// Connected to an operation as well, which understands it.
class Waiter {
public:
  void run(asio::executor e) {
    co_spawn(e, fetch(), bind_cancellation_slot(stop_.slot(), asio::detached));
  }
  awaitable<> wait(asio::steady_timer &t) {
    co_await t.async_wait(bind_cancellation_slot(stop_.slot(), use_awaitable));
  }
  void stop() { stop_.emit(cancellation_type::total); }

private:
  asio::cancellation_signal stop_;
};

// Who connects it to what is not in sight.
void tell(asio::cancellation_signal &s) { s.emit(cancellation_type::total); }

awaitable<> suppressed(asio::executor e) {
  co_await co_spawn(e, fetch(),
                    // NOLINTNEXTLINE(async-cancellation-type-mismatch)
                    cancel_after(1s, cancellation_type::total, use_awaitable));
}
