//===--- retry.cpp - Trying again -----------------------------------------===//

#include "retry.h"
#include <algorithm>

using namespace crawler;

// Wrong: each attempt is limited, their sum is not. When the site is down this
// takes 4 s, and the gateway hung up after 2 s.
asio::awaitable<Page> crawler::fetchWithRetries(Upstream &Site,
                                                std::string Url) {
  asio::steady_timer Limit(co_await asio::this_coro::executor);
  for (int Attempt = 0; Attempt < 4; ++Attempt) {
    Limit.expires_after(1s);
    auto First =
        co_await (Site.get(Url) || Limit.async_wait(asio::use_awaitable));
    if (First.index() == 0)
      co_return std::get<0>(First);
  }
  throw boost::system::system_error(asio::error::timed_out);
}

// Right: an attempt gets its second or what is left of the budget, whichever is
// less, and none starts when nothing is left.
asio::awaitable<Page> crawler::fetchWithinBudget(Upstream &Site,
                                                 std::string Url,
                                                 Clock::time_point Deadline) {
  asio::steady_timer Limit(co_await asio::this_coro::executor);
  for (int Attempt = 0; Attempt < 4; ++Attempt) {
    Clock::duration Remaining = Deadline - Clock::now();
    if (Remaining <= Clock::duration::zero())
      break;
    Limit.expires_after(std::min<Clock::duration>(1s, Remaining));
    auto First =
        co_await (Site.get(Url) || Limit.async_wait(asio::use_awaitable));
    if (First.index() == 0)
      co_return std::get<0>(First);
  }
  throw boost::system::system_error(asio::error::timed_out);
}
