//===--- TimeoutConfusedWithCancellationCheck.h --------------------------*- C++
//-*-===//
//
// Finds code that cannot tell the end of its timeout from a cancellation by
// its caller, as both look the same, and treats either as a timeout; and code
// that reports a timeout as a cancellation, which callers drop. Sources of
// fact: the models' `timeout-token` and `as-cancellation` entries.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TIMEOUTCONFUSEDWITHCANCELLATIONCHECK_H
#define ASYNC_TIDY_TIMEOUTCONFUSEDWITHCANCELLATIONCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class TimeoutConfusedWithCancellationCheck : public CancellationCheck {
public:
  TimeoutConfusedWithCancellationCheck(StringRef Name,
                                       ClangTidyContext *Context);

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  void report(const CancellationFinding &F) override;
  void reportTranslation(const async_tidy::FunctionBody &Body,
                         const CXXCatchStmt &Handler);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_TIMEOUTCONFUSEDWITHCANCELLATIONCHECK_H
