//===--- UnboundedRetryCheck.h ----------------------------------*- C++ -*-===//
//
// Finds coroutines that try again for ever: what they await fails, they begin
// anew, and neither a count nor a time nor somebody's order ends it. Where each
// attempt has a limit, async-unbudgeted-retry speaks.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNBOUNDEDRETRYCHECK_H
#define ASYNC_TIDY_UNBOUNDEDRETRYCHECK_H

#include "AsyncCheck.h"
#include "analysis/RetryLoops.h"

namespace clang::tidy::async {

class UnboundedRetryCheck : public AsyncCheck {
public:
  UnboundedRetryCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  /// Somebody can end \p Loop: it asks a token or hands one on, or leaves it to
  /// a function that it was given, other than \p Attempt itself.
  bool canBeStopped(const async_tidy::FunctionBody &Body, const Stmt &Loop,
                    const Expr &Attempt);
  void report(const async_tidy::FunctionBody &Body,
              const async_tidy::RetryLoop &Retry, const Expr &Await);

  const std::vector<StringRef> AllowedFunctions;
  const bool AllowPaused;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNBOUNDEDRETRYCHECK_H
