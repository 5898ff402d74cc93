//===--- ConvertedCancellationCheck.h ---------------------------*- C++ -*-===//
//
// Finds handlers that receive a cancellation and throw or return a different
// error in its place, so that callers retry, alert or answer 500. A pointer to
// an exception that is thrown itself is such an error whatever it points to.
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
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  void report(const CancellationFinding &F) override;

private:
  void reportThrownPointer(const CXXThrowExpr &Throw, StringRef Held);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CONVERTEDCANCELLATIONCHECK_H
