// RUN: %check %s async-lost-cancellation-source --suffix DEFAULT
// RUN: %check %s async-lost-cancellation-source --suffix NAMES --option async-lost-cancellation-source.AllowedNames=inert

#include "tokens/seastar.h"
#include "tokens/stop.h"
#include <functional>

using seastar::abort_source;
using seastar::future;

future<int> search(int what, abort_source &as);
task<int> load(std::stop_token stop);

future<int> neverFired(int what) {
  abort_source as;
  co_return co_await search(what, as);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: nobody can cancel this: 'as' is never asked to stop, and nobody else has it [async-lost-cancellation-source]
  // CHECK-MESSAGES: :[[@LINE-3]]:16: note: 'as' is made here
}

task<int> tokenGiven() {
  std::stop_source source;
  int value = co_await load(source.get_token());
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: nobody can cancel this: 'source' is never asked to stop
  co_return source.stop_requested() ? 0 : value;
}

future<int> declaredWithAuto(int what) {
  auto as = abort_source();
  co_return co_await search(what, as);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: nobody can cancel this: 'as' is never asked to stop
}

// Somebody can.
future<int> fires(int what) {
  abort_source as;
  auto found = search(what, as);
  as.request_abort();
  co_return co_await std::move(found);
}
void keep(std::stop_source source);
task<int> handsOver() {
  std::stop_source source;
  keep(source);
  co_return co_await load(source.get_token());
}
void onTimeout(std::function<void()> f);
future<int> captured(int what) {
  abort_source as;
  onTimeout([&as] { as.request_abort(); });
  co_return co_await search(what, as);
}
future<int> capturedByDefault(int what) {
  abort_source as;
  onTimeout([&] { as.request_abort(); });
  co_return co_await search(what, as);
}
abort_source *registered;
future<int> stored(int what) {
  abort_source as;
  registered = &as;
  co_return co_await search(what, as);
}

// Linked to another one.
struct chained {
  ~chained();
};
chained chain(abort_source &inner, abort_source &outer);
future<int> linked(int what, abort_source &outer) {
  abort_source inner;
  auto linked = chain(inner, outer);
  co_return co_await search(what, inner);
}

// Not made here.
struct service {
  abort_source _as;
  future<int> run(int what) { co_return co_await search(what, _as); }
  abort_source &source();
  future<int> borrowed(int what) {
    auto &as = source();
    co_return co_await search(what, as);
  }
};

// Not handed out.
future<int> unused(int what) {
  abort_source as;
  co_return as.abort_requested() ? 1 : 0;
}

// The name says that it is on purpose.
future<int> onPurpose(int what) {
  abort_source never_aborted;
  co_return co_await search(what, never_aborted);
  // CHECK-MESSAGES-NAMES: :[[@LINE-1]]:22: warning: nobody can cancel this
}
future<int> inert(int what) {
  abort_source inert_source;
  co_return co_await search(what, inert_source);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:22: warning: nobody can cancel this
}

future<int> suppressed(int what) {
  abort_source as;
  co_return co_await search(what, as); // NOLINT(async-lost-cancellation-source)
}
