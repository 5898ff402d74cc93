//===--- blocking.cpp - Waiting on the loop -------------------------------===//

#include "blocking.h"
#include <fstream>
#include <thread>
#include <vector>

using namespace crawler;

// Wrong: this sleeps with the thread that runs all other requests; they stand
// still for as long.
asio::awaitable<void> crawler::politePauseAsleep(Clock::duration Pause) {
  std::this_thread::sleep_for(Pause);
  co_return;
}

// Right: the coroutine waits, the thread does not.
asio::awaitable<void> crawler::politePause(Clock::duration Pause) {
  asio::steady_timer Timer(co_await asio::this_coro::executor, Pause);
  co_await Timer.async_wait(asio::use_awaitable);
}

static std::vector<std::string> readLines(const std::string &File) {
  std::ifstream In(File);
  std::vector<std::string> Lines;
  for (std::string Line; std::getline(In, Line);)
    Lines.push_back(Line);
  return Lines;
}

static bool robotsAllow(const std::string &RobotsFile, const std::string &Url) {
  for (const std::string &Line : readLines(RobotsFile))
    if (Line == "Disallow: " + Url)
      return false;
  return true;
}

// Wrong: nothing here looks like a file, but two calls down one is opened and
// read; on a slow disk the whole service waits for it.
asio::awaitable<bool> crawler::mayCrawlReadingHere(std::string RobotsFile,
                                                   std::string Url) {
  co_return robotsAllow(RobotsFile, Url);
}

// Right: the same helper, on a thread that may wait.
asio::awaitable<bool> crawler::mayCrawl(asio::thread_pool &Files,
                                        std::string RobotsFile,
                                        std::string Url) {
  // A variable of its own: GCC 12 destroys a temporary lambda twice.
  auto Read = [RobotsFile, Url]() -> asio::awaitable<bool> {
    co_return robotsAllow(RobotsFile, Url);
  };
  co_return co_await asio::co_spawn(Files, Read, asio::use_awaitable);
}
