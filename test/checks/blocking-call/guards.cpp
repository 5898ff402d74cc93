// Lambdas that gates call at once and that guards call at the end of a scope.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <unistd.h>

namespace seastar {
struct gate {};
template <class F> auto with_gate(gate &, F f) -> decltype(f()) {
  return {};
}
template <class F> auto try_with_gate(gate &, F f) -> decltype(f()) {
  return {};
}
template <class F> struct deferred_action {
  ~deferred_action() {}
};
template <class F> deferred_action<F> defer(F) {
  return {};
}
} // namespace seastar
namespace gsl {
template <class F> struct final_action {
  ~final_action() {}
};
template <class F> final_action<F> finally(F) {
  return {};
}
} // namespace gsl
namespace absl {
template <class F> struct Cleanup {
  Cleanup(F) {}
  ~Cleanup() {}
};
} // namespace absl

seastar::future<> ask();
seastar::future<> gates(seastar::gate &g) {
  co_await seastar::with_gate(g, [] {
    ::sleep(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    // CHECK-MESSAGES: :[[@LINE-3]]:12: note: the lambda runs here, before the coroutine goes on
    return ask();
  });
  (void)seastar::try_with_gate(g, [] {
    ::sleep(2);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
    return ask();
  });
  (void)seastar::try_with_gate(g, [] { return ask(); });
}

seastar::future<> guards() {
  auto last = seastar::defer([] { ::sleep(1); });
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: '::sleep' blocks
  // CHECK-MESSAGES: :[[@LINE-2]]:15: note: the lambda runs when this guard is destroyed, at the end of its scope
  auto other = gsl::finally([] { ::sleep(2); });
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: '::sleep' blocks
  absl::Cleanup third([] { ::sleep(3); });
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: '::sleep' blocks
  auto quick = seastar::defer([] {});
  co_await ask();
}

// No coroutine, no event loop to hold up.
void plain() {
  auto last = seastar::defer([] { ::sleep(1); });
}

// Destroyed on the pool.
void compute();
cppcoro::task<> moved(cppcoro::static_thread_pool &pool) {
  auto last = gsl::finally([] { ::sleep(1); });
  co_await pool.schedule();
  compute();
}
