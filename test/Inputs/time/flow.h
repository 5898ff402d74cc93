// Points in time that are plain numbers of seconds; a marker for coroutines
// that are not to be cancelled.
#pragma once
#include "../cancellation/task.h"
#include <algorithm>
#include <optional>

struct Void {};
struct Uncancellable {};
struct Error {
  int code() const;
};
Error actor_cancelled();
Error timed_out();
enum { error_code_actor_cancelled = 1101, error_code_timed_out = 1004 };
template <class T = Void> struct [[nodiscard]] Future {
  struct promise_type : mock::promise<Future, T> {};
  Future(Future &&);
  Future(const Future &);
  mock::awaiter<T> operator co_await();
};
double now();
Future<Void> delay(double seconds);
template <class... T> Future<int> race(Future<T>...);
template <class T> Future<std::optional<T>> timeout(Future<T>, double seconds);
template <class T> Future<T> timeoutError(Future<T>, double seconds);
