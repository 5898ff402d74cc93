//===--- retry.h - Trying again ---------------------------------*- C++ -*-===//

#ifndef CRAWLER_RETRY_H
#define CRAWLER_RETRY_H

#include "upstream.h"

namespace crawler {

/// Wrong: four attempts of a second each, for a caller that has two seconds.
asio::awaitable<Page> fetchWithRetries(Upstream &Site, std::string Url);

/// Right: four attempts at most, and none beyond \p Deadline.
asio::awaitable<Page> fetchWithinBudget(Upstream &Site, std::string Url,
                                        Clock::time_point Deadline);

} // namespace crawler

#endif // CRAWLER_RETRY_H
