// Coroutine types for the tests of blocking calls: one of no known library, and
// a few of modelled ones with what runs on a pool.
#pragma once
#include <chrono>
#include <coroutine>
#include <exception>
#include <utility>

namespace mock {
struct promise_base {
  std::suspend_always initial_suspend() noexcept;
  std::suspend_always final_suspend() noexcept;
  void unhandled_exception();
};
template <class Task, class T> struct promise : promise_base {
  Task get_return_object();
  void return_value(T);
};
template <class Task> struct promise<Task, void> : promise_base {
  Task get_return_object();
  void return_void();
};
template <class T> struct awaiter {
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<>) const noexcept;
  T await_resume();
};
} // namespace mock

namespace own {
template <class T = void> struct task {
  struct promise_type : mock::promise<task, T> {};
  mock::awaiter<T> operator co_await() const;
};
template <class T> struct future {
  T get();
  bool is_ready() const;
};
task<> io();
task<> when_ready(future<int> &);
template <class T> struct generator {
  struct promise_type : mock::promise<generator, void> {
    std::suspend_always yield_value(T);
  };
  T *begin();
  T *end();
};
} // namespace own

namespace folly {
struct Executor {};
struct CPUThreadPoolExecutor : Executor {};
namespace coro {
template <class T = void> struct Task {
  struct promise_type : mock::promise<Task, T> {};
  mock::awaiter<T> operator co_await() const;
};
Task<> sleep(std::chrono::nanoseconds);
template <class T> T blockingWait(Task<T>);
template <class T> Task<T> co_withExecutor(Executor *, Task<T>);
} // namespace coro
} // namespace folly

namespace cppcoro {
template <class T = void> struct task {
  struct promise_type : mock::promise<task, T> {};
  mock::awaiter<T> operator co_await() const;
};
struct static_thread_pool {
  mock::awaiter<void> schedule();
};
struct io_service {
  mock::awaiter<void> schedule();
};
template <class T> T sync_wait(task<T>);
} // namespace cppcoro

namespace seastar {
template <class T = void> struct future {
  struct promise_type : mock::promise<future, T> {};
  T get();
  bool available() const;
  bool failed() const;
  mock::awaiter<T> operator co_await();
};
namespace coroutine {
template <class T> struct as_future {
  explicit as_future(future<T>);
  mock::awaiter<future<T>> operator co_await();
};
} // namespace coroutine
template <class... F> future<int> when_all(F...);
} // namespace seastar

namespace asio {
struct executor {};
struct io_context {
  executor get_executor();
  void run();
};
struct thread_pool {
  thread_pool(int);
  executor get_executor();
};
struct use_awaitable_t {};
inline constexpr use_awaitable_t use_awaitable;
struct detached_t {};
inline constexpr detached_t detached;
template <class T = void> struct awaitable {
  struct promise_type : mock::promise<awaitable, T> {};
  mock::awaiter<T> operator co_await() const;
};
template <class E, class T> struct bound {};
template <class E, class T> bound<E, T> bind_executor(E &, T);
template <class E> awaitable<> post(bound<E, use_awaitable_t>);
template <class E, class F> void post(E &, F) {}
template <class E, class T>
void co_spawn(E &, awaitable<T>, detached_t);
template <class E, class F>
  requires requires(F f) { f(); }
void co_spawn(E &, F, detached_t) {}
template <class E, class F>
  requires requires(F f) { f(); }
auto co_spawn(E &, F f, use_awaitable_t) -> decltype(f()) {
  return f();
}
namespace error {
enum basic_errors { would_block = 11 };
}
struct error_code {
  friend bool operator==(error_code, error::basic_errors);
};
template <class P> struct basic_stream_socket {
  int read_some(char *, error_code &);
  awaitable<int> async_read_some(char *, use_awaitable_t);
  void non_blocking(bool);
};
template <class P> struct basic_socket : basic_stream_socket<P> {};
struct tcp {
  using socket = basic_stream_socket<tcp>;
};
} // namespace asio
