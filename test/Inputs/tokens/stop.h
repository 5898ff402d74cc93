// Tokens of the standard library, passed on by hand between coroutines.
#pragma once
#include "../cancellation/task.h"
#include <stop_token>

template <class T = void> struct task {
  using promise_type = mock::promise<task, T>;
  mock::awaiter<T> operator co_await();
};
