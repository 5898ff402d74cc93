//===--- pool.h - Heavy work on threads -------------------------*- C++ -*-===//

#ifndef CRAWLER_POOL_H
#define CRAWLER_POOL_H

#include "asio.h"
#include <atomic>
#include <optional>
#include <string>

namespace crawler {

/// Wrong: after \p Limit the caller wants no digest any more, but the thread of
/// \p Shared is busy with it to the end.
asio::awaitable<std::optional<std::string>>
digestOnSharedPool(asio::thread_pool &Shared, Clock::duration Limit);

/// A small job that shares a pool with digests: 0.1 s of work. Gives the
/// width of the picture.
asio::awaitable<int> thumbnail(asio::thread_pool &Shared);

/// Right: digests have threads of their own, of which there is a known number,
/// no queue behind them, and each digest looks at the clock.
class Digester {
public:
  explicit Digester(int Threads) : Threads(Threads), Pool(Threads) {}

  /// Nothing when all threads are busy or \p Limit has passed.
  asio::awaitable<std::optional<std::string>> digest(Clock::duration Limit);

private:
  int Threads;
  std::atomic<int> Busy = 0;
  asio::thread_pool Pool;
};

} // namespace crawler

#endif // CRAWLER_POOL_H
