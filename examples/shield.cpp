//===--- shield.cpp - Work that must not be interrupted -------------------===//

#include "shield.h"

using namespace crawler;

// Wrong: an empty slot keeps the race's cancellation away from the download.
// The timer fires, the work does not stop, and the race waits for it.
asio::awaitable<bool> crawler::archiveInBackground(Upstream &Site,
                                                   Clock::duration Limit) {
  auto Loop = co_await asio::this_coro::executor;
  asio::steady_timer Timer(Loop, Limit);
  auto First = co_await (
      asio::co_spawn(Loop, Site.get("/archive"),
                     asio::bind_cancellation_slot(asio::cancellation_slot(),
                                                  asio::use_awaitable)) ||
      Timer.async_wait(asio::use_awaitable));
  co_return First.index() == 0;
}

/// Runs \p Work so that nobody can cancel it.
static asio::awaitable<Page> uninterrupted(asio::awaitable<Page> Work) {
  co_await asio::this_coro::reset_cancellation_state(
      asio::disable_cancellation());
  co_return co_await std::move(Work);
}

// Wrong: the helper turns cancellation off for the whole download, so this
// timeout is a wish.
asio::awaitable<bool> crawler::archiveUninterrupted(Upstream &Site,
                                                    Clock::duration Limit) {
  asio::steady_timer Timer(co_await asio::this_coro::executor, Limit);
  auto First = co_await (uninterrupted(Site.get("/archive")) ||
                         Timer.async_wait(asio::use_awaitable));
  co_return First.index() == 0;
}

/// Writes \p P whole or not at all, in 0.3 s at most: the shield keeps the
/// caller's cancellation out, the limit inside it keeps the wait short.
static asio::awaitable<void> commit(Store &Pages, Page P) {
  co_await asio::this_coro::reset_cancellation_state(
      asio::disable_cancellation());
  asio::steady_timer Limit(co_await asio::this_coro::executor, 300ms);
  auto First = co_await (Pages.write(std::move(P)) ||
                         Limit.async_wait(asio::use_awaitable));
  if (First.index() == 1)
    throw boost::system::system_error(asio::error::timed_out);
}

static asio::awaitable<void> downloadAndCommit(Upstream &Site, Store &Pages) {
  Page P = co_await Site.get("/article");
  co_await commit(Pages, std::move(P));
}

// Right: what the timeout cannot stop takes 0.3 s at most.
asio::awaitable<bool> crawler::archiveAndCommit(Upstream &Site, Store &Pages,
                                                Clock::duration Limit) {
  asio::steady_timer Timer(co_await asio::this_coro::executor, Limit);
  auto First = co_await (downloadAndCommit(Site, Pages) ||
                         Timer.async_wait(asio::use_awaitable));
  co_return First.index() == 0;
}
