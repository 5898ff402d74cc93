// RUN: %check %s async-reused-awaitable

#include "time/folly.h"
#include <stdexcept>
#include <vector>

using namespace std::chrono_literals;
using folly::coro::Task;

Task<int> fetch();
Task<int> logged(Task<int>);
void note(const char *);
bool again();

Task<int> retries() {
  auto call = fetch();
  for (int i = 0; i < 3; ++i) {
    try {
      co_return co_await folly::coro::timeout(std::move(call), 1s);
      // CHECK-MESSAGES: :[[@LINE-1]]:47: warning: 'call' was used up in the turn before: what it stands for runs once; make a new one for each attempt [async-reused-awaitable]
      // CHECK-MESSAGES: :[[@LINE-5]]:8: note: it is made here
    } catch (const folly::FutureTimeout &) {
    }
  }
  throw folly::FutureTimeout();
}

Task<int> loops() {
  auto call = fetch();
  int sum = 0;
  while (again())
    sum += co_await logged(std::move(call));
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 'call' was used up in the turn before
  co_return sum;
}

Task<int> afterHandler(Task<int> call) {
  try {
    co_return co_await std::move(call);
  } catch (const std::runtime_error &e) {
    note(e.what());
  }
  co_return co_await std::move(call);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'call' was used up before: what it stands for runs once
  // CHECK-MESSAGES: :[[@LINE-6]]:24: note: it was moved away here
}

template <class T> Task<T> instantiated() {
  auto call = fetch();
  while (again())
    co_await std::move(call);
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'call' was used up in the turn before
  co_return T();
}
template Task<int> instantiated();
template Task<long> instantiated();

auto lambda = []() -> Task<void> {
  auto call = fetch();
  while (again())
    co_await std::move(call);
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'call' was used up in the turn before
};

#define AWAIT(x) co_await std::move(x)
Task<void> fromMacro() {
  auto call = fetch();
  while (again())
    AWAIT(call);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'call' was used up in the turn before
}

//===--- What must stay silent --------------------------------------------===//

Task<int> newForEachAttempt() {
  for (int i = 0; i < 3; ++i) {
    auto call = fetch();
    try {
      co_return co_await std::move(call);
    } catch (const std::runtime_error &) {
    }
  }
  throw std::runtime_error("no");
}

Task<int> renewed() {
  auto call = fetch();
  while (true) {
    try {
      co_return co_await std::move(call);
    } catch (const std::runtime_error &) {
      call = fetch();
    }
  }
}

Task<int> either(bool first) {
  auto call = fetch();
  if (first)
    co_return co_await std::move(call);
  co_return co_await logged(std::move(call));
}

Task<int> leaves() {
  auto call = fetch();
  while (again()) {
    int v = co_await std::move(call);
    if (v == 0)
      break;
    co_return v;
  }
  co_return 0;
}

Task<void> onlyOnce() {
  auto call = fetch();
  bool started = false;
  while (again())
    if (!started) {
      started = true;
      co_await std::move(call);
    }
}

// A handler that leaves does not come back.
Task<int> rethrows() {
  auto call = fetch();
  while (again()) {
    try {
      co_return co_await std::move(call);
    } catch (const std::runtime_error &e) {
      note(e.what());
      throw;
    }
  }
  co_return 0;
}

// Copies can be used any number of times.
struct shared {
  shared(const shared &);
  shared(shared &&);
  mock::awaiter<int> operator co_await();
};
Task<int> copies(shared s) {
  int sum = 0;
  while (again())
    sum += co_await std::move(s);
  co_return sum;
}

// What is no task.
Task<void> buffers(std::vector<int> v) {
  while (again()) {
    auto mine = std::move(v);
    co_await fetch();
  }
}

Task<void> suppressed() {
  auto call = fetch();
  while (again())
    co_await std::move(call); // NOLINT(async-reused-awaitable)
}
