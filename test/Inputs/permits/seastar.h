// Semaphores that are waited for and signalled by hand, units, scope guards.
#pragma once
#include "../time/seastar.h"

namespace seastar {
struct semaphore {
  explicit semaphore(int);
  future<> wait(int = 1);
  future<> wait(abort_source &, int = 1);
  void signal(int = 1) noexcept;
};
future<semaphore_units<>> get_units(semaphore &, int);
template <class F> struct deferred_action {
  explicit deferred_action(F) {}
  ~deferred_action() {}
  void cancel() {}
};
template <class F> deferred_action<F> defer(F f) {
  return deferred_action<F>(f);
}
future<> now();
} // namespace seastar
