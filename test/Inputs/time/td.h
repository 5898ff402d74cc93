// Points in time that are made from the seconds until then.
#pragma once
#include "../cancellation/task.h"

namespace td {
struct Timestamp {
  static Timestamp in(double seconds);
};
namespace actor {
template <class T> struct Task {
  struct promise_type : mock::promise<Task, T> {};
  Task(Task &&);
  mock::awaiter<T> operator co_await();
};
template <class T> Task<T> await_with_timeout(Task<T>, Timestamp);
} // namespace actor
} // namespace td
