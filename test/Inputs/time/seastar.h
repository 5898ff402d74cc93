// Timeouts by a point in time that abandon the work.
#pragma once
#include "../cancellation/task.h"
#include <chrono>

namespace seastar {
struct timed_out_error : std::exception {};
struct abort_source {
  bool abort_requested() const;
};
struct lowres_clock {
  using duration = std::chrono::milliseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<lowres_clock, duration>;
  static time_point now();
};
template <class T = void> struct future {
  struct promise_type : mock::promise<future, T> {};
  future(future &&);
  bool failed() const;
  T get();
  mock::awaiter<T> operator co_await();
};
template <class T = void> struct semaphore_units {
  semaphore_units(semaphore_units &&);
};
struct input_stream {
  future<int> read();
};
struct connected_socket {
  input_stream input();
};
future<connected_socket> connect(int);
template <class T> future<T> with_timeout(lowres_clock::time_point, future<T>);
future<> sleep(lowres_clock::duration);
future<> sleep_abortable(lowres_clock::duration, abort_source &);
namespace coroutine {
template <class T> struct as_future {
  explicit as_future(future<T>);
  mock::awaiter<future<T>> operator co_await();
};
template <class T> as_future(future<T>) -> as_future<T>;
} // namespace coroutine
} // namespace seastar
