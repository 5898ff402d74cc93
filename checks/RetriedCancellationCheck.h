//===--- RetriedCancellationCheck.h - async-retried-cancellation ---*- C++
//-*-===//
//
// Finds loops that begin the cancelled work again: a handler, or a test of an
// error code, that treats a cancellation like any failure to be retried.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_RETRIEDCANCELLATIONCHECK_H
#define ASYNC_TIDY_RETRIEDCANCELLATIONCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class RetriedCancellationCheck : public CancellationCheck {
public:
  RetriedCancellationCheck(StringRef Name, ClangTidyContext *Context);

protected:
  void report(const CancellationFinding &F) override;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_RETRIEDCANCELLATIONCHECK_H
