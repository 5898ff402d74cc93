//===--- upstream.cpp - The site that is crawled --------------------------===//

#include "upstream.h"

using namespace crawler;

/// How many pieces of 50 ms \p Url has; 0 when it cannot be had.
static int piecesOf(const std::string &Url) {
  if (Url == "/news")
    return 2;
  if (Url == "/article")
    return 8;
  if (Url == "/archive")
    return 40;
  if (Url == "/dead")
    return 1000;
  return 0;
}

asio::awaitable<Page> Upstream::get(std::string Url) {
  int Pieces = piecesOf(Url);
  if (Pieces == 0)
    throw boost::system::system_error(asio::error::connection_refused);
  asio::steady_timer Line(co_await asio::this_coro::executor);
  Page P;
  for (int I = 0; I < Pieces; ++I) {
    Line.expires_after(50ms);
    co_await Line.async_wait(asio::use_awaitable);
    ++PiecesSent;
    P.Body += "<p>text</p>";
  }
  P.Status = 200;
  co_return P;
}

asio::awaitable<void> Upstream::release() {
  asio::steady_timer Line(co_await asio::this_coro::executor, 50ms);
  co_await Line.async_wait(asio::use_awaitable);
  ++Released;
}

asio::awaitable<void> Store::write(Page) {
  ++Started;
  asio::steady_timer Disk(co_await asio::this_coro::executor, 200ms);
  co_await Disk.async_wait(asio::use_awaitable);
  ++Whole;
}
