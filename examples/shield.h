//===--- shield.h - Work that must not be interrupted -----------*- C++ -*-===//

#ifndef CRAWLER_SHIELD_H
#define CRAWLER_SHIELD_H

#include "upstream.h"

namespace crawler {

/// Wrong: false after \p Limit, it says; but the download cannot be stopped.
asio::awaitable<bool> archiveInBackground(Upstream &Site,
                                          Clock::duration Limit);

/// Wrong: the same, with the shield in a helper.
asio::awaitable<bool> archiveUninterrupted(Upstream &Site,
                                           Clock::duration Limit);

/// Right: the download stops at \p Limit; only writing the page is protected,
/// and that has a limit of its own.
asio::awaitable<bool> archiveAndCommit(Upstream &Site, Store &Pages,
                                       Clock::duration Limit);

} // namespace crawler

#endif // CRAWLER_SHIELD_H
