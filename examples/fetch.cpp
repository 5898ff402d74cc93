//===--- fetch.cpp - Fetching one page ------------------------------------===//

#include "fetch.h"
#include <exception>

using namespace crawler;

// Wrong: to this handler the gateway's "stop" is one more network error, and so
// a request that was cancelled reports success with a page nobody sent.
asio::awaitable<Page> crawler::fetchOrEmptyPage(Upstream &Site,
                                                std::string Url) {
  try {
    co_return co_await Site.get(Url);
  } catch (const std::exception &) {
    co_return Page{200, ""};
  }
}

// Right: the error code tells a cancellation from a site that is down.
asio::awaitable<Page> crawler::fetchOrUnavailable(Upstream &Site,
                                                  std::string Url) {
  try {
    co_return co_await Site.get(Url);
  } catch (const boost::system::system_error &Error) {
    if (Error.code() == asio::error::operation_aborted)
      throw;
    co_return Page{503, ""};
  }
}

// Right: a handler cannot await, so the failure is kept, the clean-up awaited
// and the failure thrown again on every path.
asio::awaitable<Page> crawler::fetchAndRelease(Upstream &Site,
                                               std::string Url) {
  Page Result;
  std::exception_ptr Failure;
  try {
    Result = co_await Site.get(Url);
  } catch (...) {
    Failure = std::current_exception();
  }
  // Once cancelled, each further await fails until the state is reset.
  co_await asio::this_coro::reset_cancellation_state();
  co_await Site.release();
  if (Failure)
    std::rethrow_exception(Failure);
  co_return Result;
}
