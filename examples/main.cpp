//===--- main.cpp - Runs every story and says what was measured -----------===//

#include "blocking.h"
#include "fetch.h"
#include "gateway.h"
#include "pool.h"
#include "report.h"
#include "retry.h"
#include "shield.h"
#include "slowfile.h"
#include <iostream>

using namespace crawler;

static std::string describe(const Outcome<Page> &Result) {
  if (Result.Cancelled)
    return "cancelled after " + seconds(Result.Took);
  if (!Result.Answer)
    return "gave up after " + seconds(Result.Took);
  return "answered " + std::to_string(Result.Answer->Status) + " with " +
         std::to_string(Result.Answer->Body.size()) + " bytes after " +
         seconds(Result.Took);
}

static void fetchStories() {
  chapter("fetch.cpp: a cancellation that turns into an answer");
  Upstream Site;

  Outcome<Page> Empty = ask(fetchOrEmptyPage(Site, "/dead"), 500ms);
  story("fetchOrEmptyPage", "the gateway cancels at 0.5 s, so: cancelled",
        describe(Empty), Empty.Cancelled);

  Outcome<Page> Kept = ask(fetchOrUnavailable(Site, "/dead"), 500ms);
  story("fetchOrUnavailable", "the gateway cancels at 0.5 s, so: cancelled",
        describe(Kept), Kept.Cancelled);

  Outcome<Page> Refused = ask(fetchOrUnavailable(Site, "/refused"), 500ms);
  story("fetchOrUnavailable", "the site is down, so: answered 503",
        describe(Refused), Refused.Answer && Refused.Answer->Status == 503);

  Outcome<Page> Released = ask(fetchAndRelease(Site, "/dead"), 500ms);
  story("fetchAndRelease", "cancelled at 0.5 s, the connection given back",
        describe(Released) +
            ", connections given back: " + std::to_string(Site.released()),
        Released.Cancelled && Site.released() == 1);
}

static void retryStories() {
  chapter("retry.cpp: a retry loop without a budget");
  Upstream Site;
  auto measured = [](const Outcome<Page> &Result) {
    return "gateway allows 2.0 s, took " + seconds(Result.Took);
  };

  Outcome<Page> Loop = ask(fetchWithRetries(Site, "/dead"));
  story("fetchWithRetries", "a page or an error before the gateway hangs up",
        measured(Loop), Loop.Took <= 2s);

  // What is kept back is for sending the answer.
  Outcome<Page> Budget =
      ask(fetchWithinBudget(Site, "/dead", Clock::now() + 2s - 200ms));
  story("fetchWithinBudget", "a page or an error before the gateway hangs up",
        measured(Budget), Budget.Took <= 2s);
}

static void shieldStories() {
  chapter("shield.cpp: a timeout over work that cannot be stopped");
  auto measured = [](const Outcome<bool> &Result, const Upstream &Site) {
    return "timeout of 0.5 s, took " + seconds(Result.Took) + ", " +
           std::to_string(Site.piecesSent()) + " of 40 pieces downloaded";
  };

  Upstream First;
  Outcome<bool> Background = ask(archiveInBackground(First, 500ms));
  story("archiveInBackground", "the download stops at 0.5 s",
        measured(Background, First), First.piecesSent() < 40);

  Upstream Second;
  Outcome<bool> Uninterrupted = ask(archiveUninterrupted(Second, 500ms));
  story("archiveUninterrupted", "the download stops at 0.5 s",
        measured(Uninterrupted, Second), Second.piecesSent() < 40);

  Upstream Third;
  Store Pages;
  Outcome<bool> Committed = ask(archiveAndCommit(Third, Pages, 500ms));
  story("archiveAndCommit", "at most 0.8 s, and no page half written",
        "timeout of 0.5 s, took " + seconds(Committed.Took) + ", " +
            std::to_string(Pages.whole()) + " of " +
            std::to_string(Pages.started()) + " pages written whole",
        Pages.whole() == Pages.started());
}

static void poolStories() {
  chapter("pool.cpp: a timeout over work on a thread");

  // Both at once, on a pool of one thread.
  asio::thread_pool Shared(1);
  auto both = [&]() -> asio::awaitable<int> {
    auto Both =
        co_await (digestOnSharedPool(Shared, 300ms) && thumbnail(Shared));
    co_return std::get<1>(Both);
  };
  Outcome<int> Queued = ask(both());
  story("digestOnSharedPool",
        "the digest is given up at 0.3 s, the thumbnail of 0.1 s comes soon "
        "after",
        "timeout of 0.3 s; the 0.1 s thumbnail behind it took " +
            seconds(Queued.Took),
        Queued.Took < 1s);

  Digester Digests(1);
  asio::thread_pool Others(1);
  auto apart = [&]() -> asio::awaitable<std::string> {
    auto [First, Second, Width] = co_await (
        Digests.digest(300ms) && Digests.digest(300ms) && thumbnail(Others));
    co_return std::string(First ? "done" : "given up") + ", a second one " +
        (Second ? "done" : "refused at once");
  };
  Outcome<std::string> Apart = ask(apart());
  story("Digester::digest",
        "the digest is given up at 0.3 s, a second one refused, the thumbnail "
        "not held up",
        "digest " + Apart.Answer.value_or("failed") + ", all over after " +
            seconds(Apart.Took),
        Apart.Took < 1s);
}

static void blockingStories() {
  chapter("blocking.cpp: waiting on the loop");
  auto measured = [](Clock::duration Gap) {
    return "the loop stood still for " + seconds(Gap);
  };
  const std::string Expected = "other requests go on meanwhile";

  // A coroutine with a value, as the gateway wants one.
  auto done = [](asio::awaitable<void> Work) -> asio::awaitable<bool> {
    co_await std::move(Work);
    co_return true;
  };
  Clock::duration Asleep = ask(done(politePauseAsleep(1s))).LongestGap;
  story("politePauseAsleep", Expected, measured(Asleep), Asleep < 500ms);
  Clock::duration Awake = ask(done(politePause(1s))).LongestGap;
  story("politePause", Expected, measured(Awake), Awake < 500ms);

  const std::string Rules = "User-agent: *\nDisallow: /private\n";
  {
    SlowFile Robots(Rules, 600ms);
    Clock::duration Gap =
        ask(mayCrawlReadingHere(Robots.path(), "/news")).LongestGap;
    story("mayCrawlReadingHere", Expected, measured(Gap), Gap < 500ms);
  }
  {
    SlowFile Robots(Rules, 600ms);
    asio::thread_pool Files(1);
    Clock::duration Gap =
        ask(mayCrawl(Files, Robots.path(), "/news")).LongestGap;
    story("mayCrawl", Expected, measured(Gap), Gap < 500ms);
  }
}

int main() {
  std::cout << "What callers expect, and what was measured (about 15 s)\n";
  fetchStories();
  retryStories();
  shieldStories();
  poolStories();
  blockingStories();
}
