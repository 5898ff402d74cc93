//===--- pool.cpp - Heavy work on threads ---------------------------------===//

#include "pool.h"
#include <thread>

using namespace crawler;

/// Stands for a library that takes 2 s and knows nothing of stopping.
static std::string digestPage() {
  std::this_thread::sleep_for(2s);
  return "digest";
}

// Wrong: a timeout can give up on a thread but not stop it. The caller waits 2
// s all the same, and so does everybody else who needs a thread of this pool.
asio::awaitable<std::optional<std::string>>
crawler::digestOnSharedPool(asio::thread_pool &Shared, Clock::duration Limit) {
  asio::steady_timer Timer(co_await asio::this_coro::executor, Limit);
  auto First = co_await (
      asio::co_spawn(
          Shared,
          []() -> asio::awaitable<std::string> { co_return digestPage(); },
          asio::use_awaitable) ||
      Timer.async_wait(asio::use_awaitable));
  if (First.index() == 0)
    co_return std::get<0>(First);
  co_return std::nullopt;
}

static int scaleImage() {
  std::this_thread::sleep_for(100ms);
  return 64;
}

asio::awaitable<int> crawler::thumbnail(asio::thread_pool &Shared) {
  co_return co_await asio::co_spawn(
      Shared, []() -> asio::awaitable<int> { co_return scaleImage(); },
      asio::use_awaitable);
}

/// The same work in steps of 50 ms; nothing when \p Deadline comes first.
static std::optional<std::string> digestPageUntil(Clock::time_point Deadline) {
  for (int Step = 0; Step < 40; ++Step) {
    if (Clock::now() >= Deadline)
      return std::nullopt;
    std::this_thread::sleep_for(50ms);
  }
  return "digest";
}

// Right: the limit travels with the work, which ends itself, and only as much
// is let in as there are threads.
asio::awaitable<std::optional<std::string>>
Digester::digest(Clock::duration Limit) {
  if (Busy.fetch_add(1) >= Threads) {
    --Busy;
    co_return std::nullopt;
  }
  Clock::time_point Deadline = Clock::now() + Limit;
  co_return co_await asio::co_spawn(
      Pool,
      [this, Deadline]() -> asio::awaitable<std::optional<std::string>> {
        auto Result = digestPageUntil(Deadline);
        --Busy;
        co_return Result;
      },
      asio::use_awaitable);
}
