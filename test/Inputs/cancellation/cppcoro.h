// Cancellation by exception, passed on by hand with a token.
#pragma once
#include "task.h"

namespace cppcoro {
struct operation_cancelled : std::exception {};
struct cancellation_token {
  bool is_cancellation_requested() const;
  void throw_if_cancellation_requested() const;
};
struct cancellation_source {
  cancellation_token token() const;
  void request_cancellation();
};
template <class T = void> struct [[nodiscard]] task {
  using promise_type = mock::promise<task, T>;
  task(task &&);
  mock::awaiter<T> operator co_await();
};
} // namespace cppcoro
