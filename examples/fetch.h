//===--- fetch.h - Fetching one page ----------------------------*- C++ -*-===//

#ifndef CRAWLER_FETCH_H
#define CRAWLER_FETCH_H

#include "upstream.h"

namespace crawler {

/// Wrong: cancelled, it answers 200 with an empty page.
asio::awaitable<Page> fetchOrEmptyPage(Upstream &Site, std::string Url);

/// Right: an unreachable page becomes a 503, a cancellation stays one.
asio::awaitable<Page> fetchOrUnavailable(Upstream &Site, std::string Url);

/// Right: gives the connection back whatever happens, then lets the failure,
/// a cancellation included, go on its way.
asio::awaitable<Page> fetchAndRelease(Upstream &Site, std::string Url);

} // namespace crawler

#endif // CRAWLER_FETCH_H
