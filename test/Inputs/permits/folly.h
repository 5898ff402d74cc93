// Mutexes that are locked and unlocked by hand, timeouts over them.
#pragma once
#include "../time/folly.h"
#include <mutex>

namespace folly {
namespace coro {
struct Mutex {
  Task<void> co_lock();
  Task<std::unique_lock<Mutex>> co_scoped_lock();
  void lock();
  void unlock() noexcept;
};
template <class D> Task<int> timeoutNoDiscard(Task<int>, D);
template <class D> Task<void> timeoutNoDiscard(Task<void>, D);
} // namespace coro
} // namespace folly
