//===--- SwallowedCancellationCheck.h - async-swallowed-cancellation ---*- C++
//-*-===//
//
// Finds handlers that receive a cancellation and neither let it through nor
// hand it on, so that a timeout turns into a fake success: the coroutine
// returns a value, or goes on, as if nobody had told it to stop.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_SWALLOWEDCANCELLATIONCHECK_H
#define ASYNC_TIDY_SWALLOWEDCANCELLATIONCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class SwallowedCancellationCheck : public CancellationCheck {
public:
  SwallowedCancellationCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void report(const CancellationFinding &F) override;

private:
  const bool IgnoreCatchAll;
  const bool IgnoreStdException;
  const bool IgnoreLoggingOnly;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_SWALLOWEDCANCELLATIONCHECK_H
