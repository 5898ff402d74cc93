//===--- blocking.h - Waiting on the loop -----------------------*- C++ -*-===//

#ifndef CRAWLER_BLOCKING_H
#define CRAWLER_BLOCKING_H

#include "asio.h"
#include <string>

namespace crawler {

/// Wrong: pauses between two requests by stopping the loop's only thread.
asio::awaitable<void> politePauseAsleep(Clock::duration Pause);

/// Right: pauses this coroutine.
asio::awaitable<void> politePause(Clock::duration Pause);

/// Wrong: whether the rules in \p RobotsFile allow \p Url; reads the file on
/// the loop.
asio::awaitable<bool> mayCrawlReadingHere(std::string RobotsFile,
                                          std::string Url);

/// Right: reads it on a thread of \p Files.
asio::awaitable<bool> mayCrawl(asio::thread_pool &Files, std::string RobotsFile,
                               std::string Url);

} // namespace crawler

#endif // CRAWLER_BLOCKING_H
