//===--- WrongCancellationTokenCheck.h --------------------------*- C++ -*-===//
//
// Finds tokens that are not the ones of the work at hand: an empty one that is
// passed on although a real one is in scope, and a handler that asks another
// token than the work in its `try` was given.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_WRONGCANCELLATIONTOKENCHECK_H
#define ASYNC_TIDY_WRONGCANCELLATIONTOKENCHECK_H

#include "AsyncCheck.h"
#include "analysis/Tokens.h"

namespace clang::tidy::async {

class WrongCancellationTokenCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  void checkEmptyToken(const async_tidy::FunctionBody &Body,
                       const VarDecl &Empty);
  void checkHandlers(const async_tidy::FunctionBody &Body,
                     const CXXTryStmt &Try);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_WRONGCANCELLATIONTOKENCHECK_H
