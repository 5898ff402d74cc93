//===--- IgnoredCancellationResultCheck.h - async-ignored-cancellation-result
//---*- C++ -*-===//
//
// Finds awaits that give a cancellation as a value (an error code, a Try) which
// is never looked at, or only written to a log.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_IGNOREDCANCELLATIONRESULTCHECK_H
#define ASYNC_TIDY_IGNOREDCANCELLATIONRESULTCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class IgnoredCancellationResultCheck : public CancellationCheck {
public:
  IgnoredCancellationResultCheck(StringRef Name, ClangTidyContext *Context);

protected:
  void report(const CancellationFinding &F) override;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_IGNOREDCANCELLATIONRESULTCHECK_H
