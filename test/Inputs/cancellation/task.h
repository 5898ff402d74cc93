// Promise and awaiter that the library mocks share; declarations only.
#pragma once
#include <coroutine>
#include <exception>
#include <utility>

namespace mock {
template <class T> struct awaiter {
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  T await_resume();
};
template <class T> struct result_of {
  template <class U = T> void return_value(U &&);
};
template <> struct result_of<void> {
  void return_void();
};
template <class Task, class T> struct promise : result_of<T> {
  Task get_return_object();
  std::suspend_always initial_suspend() noexcept;
  std::suspend_always final_suspend() noexcept;
  void unhandled_exception();
};
} // namespace mock
