//===--- upstream.h - The site that is crawled ------------------*- C++ -*-===//
//
// Stands in for a web site. It needs no network: a page "arrives" in pieces,
// one each 50 ms, and a counter says how many were sent, so that a caller can
// be shown whether a download really stopped.
//
//===----------------------------------------------------------------------===//

#ifndef CRAWLER_UPSTREAM_H
#define CRAWLER_UPSTREAM_H

#include "asio.h"
#include <string>

namespace crawler {

struct Page {
  int Status = 0; ///< as in HTTP; 0 before there is an answer
  std::string Body;
};

class Upstream {
public:
  /// Downloads \p Url: "/news" takes 0.1 s, "/archive" 2 s, "/article" 0.4 s;
  /// "/refused" fails at once and "/dead" never answers. Reacts to cancellation
  /// at once, as Asio's operations do, with `operation_aborted`.
  asio::awaitable<Page> get(std::string Url);

  /// Gives the connection back; takes 0.05 s.
  asio::awaitable<void> release();

  int piecesSent() const { return PiecesSent; }
  int released() const { return Released; }

private:
  int PiecesSent = 0;
  int Released = 0;
};

/// The crawler's page store. A write that is interrupted leaves half a page.
class Store {
public:
  /// Takes 0.2 s.
  asio::awaitable<void> write(Page P);

  int whole() const { return Whole; }
  int started() const { return Started; }

private:
  int Started = 0;
  int Whole = 0;
};

} // namespace crawler

#endif // CRAWLER_UPSTREAM_H
