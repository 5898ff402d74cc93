// A coroutine library in a few lines, under names that the models know: enough
// for one finding.
#ifndef TINY_H
#define TINY_H

namespace std {
template <typename R, typename... A> struct coroutine_traits {
  using promise_type = typename R::promise_type;
};
template <typename P = void> struct coroutine_handle {
  static coroutine_handle from_address(void *);
  void *address() const;
  template <typename Q> operator coroutine_handle<Q>() const;
};
struct suspend_always {
  bool await_ready() const noexcept;
  void await_suspend(coroutine_handle<>) const noexcept;
  void await_resume() const noexcept;
};
struct exception {
  virtual ~exception();
};
} // namespace std

namespace folly {
struct OperationCancelled : std::exception {};

namespace coro {
template <typename T> struct Task {
  struct promise_type {
    Task get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void return_value(T);
    void unhandled_exception();
  };
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<>) const;
  T await_resume() const;
};
} // namespace coro
} // namespace folly

folly::coro::Task<int> fetch();

#endif
