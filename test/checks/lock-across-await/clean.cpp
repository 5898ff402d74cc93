// RUN: %check %s async-lock-across-await

#include "locks/locks.h"

task<> unlocked() {
  std::unique_lock hold(m);
  use(1);
  hold.unlock();
  co_await op();
}

task<> deferred() {
  std::unique_lock hold(m, std::defer_lock);
  co_await op();
  hold.lock();
}

task<> openForAWhile() {
  std::unique_lock hold(m);
  if (flag) {
    hold.unlock();
    co_await op();
    hold.lock();
  }
  use(1);
}

task<> scopeClosed() {
  {
    std::lock_guard hold(m);
    use(1);
  }
  co_await op();
}

task<> nextTurn() {
  for (;;) {
    co_await op();
    std::lock_guard hold(m);
    use(1);
  }
}

task<> notGot() {
  std::unique_lock hold(m, std::try_to_lock);
  if (!hold.owns_lock()) {
    co_await op();
    co_return;
  }
  use(1);
}

task<> gotAndGivenBack() {
  std::unique_lock hold(m, std::try_to_lock);
  if (hold) {
    use(1);
    hold.unlock();
  }
  co_await op();
}

task<> spinning() {
  while (!m.try_lock())
    co_await op();
  use(1);
  m.unlock();
}

task<> remembered() {
  bool got = m.try_lock();
  if (got) {
    use(1);
    m.unlock();
  }
  co_await op();
}

task<> sameCondition(bool shared) {
  std::unique_lock hold(m, std::defer_lock);
  if (shared)
    hold.lock();
  use(1);
  if (shared)
    hold.unlock();
  co_await op();
}

task<> handler() {
  try {
    m.lock();
    use(1);
    m.unlock();
  } catch (...) {
    use(2);
  }
  co_await op();
}

// The callee has the guard, and is judged itself.
task<> handed(std::unique_lock<std::mutex> hold);
task<> passedOn() {
  std::unique_lock hold(m);
  co_await handed(std::move(hold));
}
task<> passedAtOnce() { co_await handed(std::unique_lock(m)); }

task<> opens(std::unique_lock<std::mutex> &hold) {
  hold.unlock();
  co_await op();
  hold.lock();
}
task<> byReference() {
  std::unique_lock hold(m);
  co_await opens(hold);
}

task<> disowned() {
  std::unique_lock hold(m);
  hold.release()->unlock();
  co_await op();
}

task<> emptied() {
  std::optional<std::unique_lock<std::mutex>> hold;
  hold.emplace(m);
  hold.reset();
  auto other = std::make_unique<std::lock_guard<std::mutex>>(m);
  other.reset();
  co_await op();
}

struct Session {
  std::unique_lock<std::mutex> lock;
  explicit Session(std::mutex &m) : lock(m) {}
  void close() { lock.unlock(); }
};
task<> closed() {
  Session s(m);
  s.close();
  co_await op();
}

template <class F> struct Finally {
  F f;
  ~Finally() { f(); }
};
template <class F> Finally(F) -> Finally<F>;
task<> scopeGuard() {
  {
    m.lock();
    Finally unlock{[&] { m.unlock(); }};
    use(1);
  }
  co_await op();
}

struct Open {
  std::unique_lock<std::mutex> &hold;
  explicit Open(std::unique_lock<std::mutex> &l) : hold(l) { hold.unlock(); }
  ~Open() { hold.lock(); }
};
task<> reversed() {
  std::unique_lock hold(m);
  {
    Open open(hold);
    co_await op();
  }
  use(1);
}

task<> otherName() {
  auto &mutex = m;
  mutex.lock();
  m.unlock();
  co_await op();
}

// A lock that is awaited is nobody's thread's.
struct AsyncMutex {
  task<> lock_async();
  void lock();
  void unlock();
  bool try_lock();
};
task<> awaited(AsyncMutex &mutex) {
  co_await mutex.lock_async();
  std::lock_guard hold(mutex, std::adopt_lock);
  co_await op();
}

// Does nothing where there is one thread.
struct NoMutex {
  void lock() {}
  void unlock() {}
};
task<> pretended(NoMutex &mutex) {
  std::lock_guard hold(mutex);
  co_await op();
}

struct Ready {
  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  void await_resume() {}
};
struct LooksOnly {
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<>) { return false; }
  void await_resume() {}
};
task<> inlineWork() { co_await Ready{}; }
task<> neverSuspends() {
  std::lock_guard hold(m);
  co_await std::suspend_never{};
  co_await Ready{};
  co_await LooksOnly{};
  co_await inlineWork();
}

task<> plainCode() {
  auto count = [] {
    std::lock_guard hold(m);
    return 1;
  };
  use(count());
  int x = (std::lock_guard(m), 1);
  co_await op(x);
}
