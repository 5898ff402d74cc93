//===--- ConvertedCancellationCheck.h - async-converted-cancellation ---*- C++
//-*-===//
//
// Finds handlers that receive a cancellation and throw or return a different
// error in its place, so that callers retry, alert or answer 500.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_CONVERTEDCANCELLATIONCHECK_H
#define ASYNC_TIDY_CONVERTEDCANCELLATIONCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class ConvertedCancellationCheck : public CancellationCheck {
public:
  ConvertedCancellationCheck(StringRef Name, ClangTidyContext *Context);

protected:
  void report(const CancellationFinding &F) override;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CONVERTEDCANCELLATIONCHECK_H
