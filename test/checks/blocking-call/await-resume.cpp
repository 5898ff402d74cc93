// RUN: %check %s async-blocking-call-in-coroutine

#include <coroutine>
#include <future>

struct task {
  struct promise_type {
    task get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void unhandled_exception();
    void return_void();
  };
};

// Resumed once the result is there, the awaiter only takes it.
struct taken_when_ready {
  std::future<int> &result;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>);
  int await_resume() { return result.get(); }
};
task takes(std::future<int> &f) { co_await taken_when_ready{f}; }

// Before it suspends, it waits with the thread.
struct waits_first {
  std::future<int> &result;
  bool await_ready() {
    result.wait();
    return true;
  }
  void await_suspend(std::coroutine_handle<>);
  int await_resume();
};
task waits(std::future<int> &f) {
  co_await waits_first{f};
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the awaiter's 'waits_first::await_ready' ends up in 'std::future::wait'
}
