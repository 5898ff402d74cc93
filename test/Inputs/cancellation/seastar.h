// Cancellation by exception, passed on by hand with an abort_source.
#pragma once
#include "task.h"
#include <chrono>

namespace seastar {
struct abort_requested_exception : std::exception {};
struct sleep_aborted : abort_requested_exception {};
struct gate_closed_exception : std::exception {};
struct timed_out_error : std::exception {};

struct abort_source {
  bool abort_requested() const;
  void check() const;
  void request_abort();
  template <class F> int subscribe(F &&) { return 0; }
};

template <class T = void> struct [[nodiscard]] future {
  using promise_type = mock::promise<future, T>;
  future(future &&);
  future &operator=(future &&);
  ~future();
  bool failed() const;
  T get();
  std::exception_ptr get_exception();
  void ignore_ready_future();
  template <class F> future then_wrapped(F &&) { return std::move(*this); }
  template <class F> future handle_exception(F &&) { return std::move(*this); }
  template <class F> future handle_exception_type(F &&) {
    return std::move(*this);
  }
  mock::awaiter<T> operator co_await();
};
template <class T = void, class E> future<T> make_exception_future(E &&);
template <class T = void> future<T> make_ready_future();

template <class D> future<> sleep_abortable(D, abort_source &);
template <class D> future<> sleep(D);

namespace coroutine {
struct exception {
  explicit exception(std::exception_ptr);
};
template <class T> struct as_future {
  explicit as_future(future<T>);
  mock::awaiter<future<T>> operator co_await();
};
exception return_exception_ptr(std::exception_ptr);
mock::awaiter<void> operator co_await(exception);
} // namespace coroutine

struct output_stream {
  future<> write(int);
  future<> close();
};
struct logger {
  template <class... A> void error(const char *, const A &...);
  template <class... A> void info(const char *, const A &...);
};
} // namespace seastar
