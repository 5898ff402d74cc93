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
  /// Somebody can end \p Loop: it asks a token or hands one on, asks something
  /// that others can change, or leaves it to somebody else what to do about a
  /// failure of \p Attempt.
  bool canBeStopped(const async_tidy::FunctionBody &Body, const Stmt &Loop,
                    const Expr &Attempt);
  /// \p Call is given the error, by somebody who waits for the answer or by an
  /// object that can count.
  bool decidesAboutError(const async_tidy::FunctionBody &Body,
                         const CallExpr &Call);
  void report(const async_tidy::FunctionBody &Body,
              const async_tidy::RetryLoop &Retry, const Expr &Await);

  const std::vector<StringRef> AllowedFunctions;
  const bool AllowPaused;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNBOUNDEDRETRYCHECK_H
