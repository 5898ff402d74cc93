// Mutexes and guards of the standard library and others, and a task to hold
// them in; declarations only.
#pragma once
#include "cancellation/task.h"

namespace std {
struct adopt_lock_t {};
struct defer_lock_t {};
struct try_to_lock_t {};
inline constexpr adopt_lock_t adopt_lock{};
inline constexpr defer_lock_t defer_lock{};
inline constexpr try_to_lock_t try_to_lock{};

struct mutex {
  void lock();
  void unlock();
  bool try_lock();
};
struct shared_mutex : mutex {
  void lock_shared();
  void unlock_shared();
};
template <class M> struct lock_guard {
  explicit lock_guard(M &);
  lock_guard(M &, adopt_lock_t);
  lock_guard(const lock_guard &) = delete;
  ~lock_guard();
};
template <class... Ms> struct scoped_lock {
  explicit scoped_lock(Ms &...);
  ~scoped_lock();
};
template <class M> struct unique_lock {
  unique_lock() noexcept;
  explicit unique_lock(M &);
  unique_lock(M &, defer_lock_t);
  unique_lock(M &, try_to_lock_t);
  unique_lock(M &, adopt_lock_t);
  unique_lock(unique_lock &&) noexcept;
  unique_lock &operator=(unique_lock &&) noexcept;
  ~unique_lock();
  void lock();
  bool try_lock();
  void unlock();
  void swap(unique_lock &) noexcept;
  M *release() noexcept;
  bool owns_lock() const noexcept;
  explicit operator bool() const noexcept;
};
template <class M> struct shared_lock {
  explicit shared_lock(M &);
  ~shared_lock();
  void lock();
  void unlock();
};
template <class... Ms> void lock(Ms &...);

template <class T> struct unique_ptr {
  unique_ptr();
  unique_ptr(unique_ptr &&);
  ~unique_ptr();
  T *operator->();
  void reset(T * = nullptr);
  explicit operator bool() const;
};
template <class T, class... As> unique_ptr<T> make_unique(As &&...);
template <class T> struct optional {
  optional();
  ~optional();
  template <class... As> T &emplace(As &&...);
  void reset();
};
} // namespace std

template <class T = void>
struct task : mock::awaiter<T> {
  using promise_type = mock::promise<task, T>;
};
template <class T> struct generator {
  struct promise_type {
    generator get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    std::suspend_always yield_value(T);
    void return_void();
    void unhandled_exception();
  };
};

task<> op(int = 0);
task<int> load(int = 0);
void use(int);
int peek();
extern bool flag;
extern std::mutex m, m2;
