// Sources that are passed by reference, functions with abortable twins.
#pragma once
#include "../cancellation/seastar.h"
#include <optional>

namespace seastar {
struct lowres_clock {
  using duration = std::chrono::milliseconds;
  using time_point = std::chrono::time_point<lowres_clock, duration>;
  static time_point now();
};
struct semaphore {
  future<> wait(unsigned long n = 1);
  future<> wait(abort_source &, unsigned long n = 1);
  void broken();
};
struct semaphore_units {};
future<semaphore_units> get_units(semaphore &, unsigned long);
future<semaphore_units> get_units(semaphore &, unsigned long, abort_source &);
template <class A, class B> future<> when_any(A, B);
template <class T>
future<T> with_timeout(lowres_clock::time_point, future<T>);
} // namespace seastar
