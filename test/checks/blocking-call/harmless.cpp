// RUN: %check %s async-blocking-call-in-coroutine

// Calls of kinds that block, where nothing waits.

#include "blocking/loop.h"
#include <cstdint>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

// Waking somebody by a number in a pipe or an eventfd.
own::task<> wakes(int fd, const char *text, size_t n) {
  uint64_t one = 1;
  ::write(fd, &one, sizeof(one));
  co_await own::io();
  ::write(fd, text, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::write' blocks
}
own::task<> takes(int fd) {
  uint64_t one;
  ::read(fd, &one, sizeof(one));
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::read' blocks
  co_await own::io();
}

// A member that the constructor makes in non-blocking mode.
struct Descriptor {
  Descriptor(const char *path, int flags);
  int native() const;
};
struct Made {
  Descriptor input;
  char buffer[8];
  explicit Made(const char *path) : input(path, O_RDONLY | O_NONBLOCK) {}
  own::task<> reads() {
    ::read(input.native(), buffer, 8);
    co_await own::io();
  }
};
struct Plain {
  Descriptor input, other;
  char buffer[8];
  explicit Plain(const char *path) : input(path, O_RDONLY), other(path, O_NONBLOCK) {}
  own::task<> reads() {
    ::read(input.native(), buffer, 8);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::read' blocks
    co_await own::io();
  }
};

// The thread that an awaiter waited for is at its end.
struct finished {
  std::thread &worker;
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  void await_resume() { worker.join(); }
};
struct wrapper {
  finished inner;
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  void await_resume() { inner.await_resume(); }
};
own::task<> joins(std::thread &t) {
  co_await wrapper{{t}};
  finished f{t};
  f.await_resume();
  t.join();
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'std::thread::join' blocks
}

// Tests block on purpose; a deadlock is one in a test, too.
#define TEST_CASE_(Name) void Name()
#define TEST_CASE(Name) TEST_CASE_(Name)
#define TEST(Name) TEST_CASE(Name)
cppcoro::task<> work();
TEST(blocks) {
  auto lambda = [](int fd, char *buffer) -> own::task<> {
    co_await own::io();
    ::read(fd, buffer, 1);
    cppcoro::sync_wait(work());
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'cppcoro::sync_wait' waits for async work
  };
}

// Without an executor there is no loop to hold up.
namespace async_simple {
struct Executor {};
namespace coro {
template <class T = void> struct Lazy {
  struct promise_type : mock::promise<Lazy, T> {};
  mock::awaiter<T> operator co_await() const;
};
} // namespace coro
struct CurrentExecutor {
  mock::awaiter<Executor *> operator co_await();
};
} // namespace async_simple
async_simple::coro::Lazy<> sleeps() {
  auto *executor = co_await async_simple::CurrentExecutor();
  if (!executor) {
    ::sleep(1);
    co_return;
  }
  if (executor == nullptr)
    ::sleep(1);
  if (executor)
    ::sleep(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: '::sleep' blocks
}
