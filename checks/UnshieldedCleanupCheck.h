//===--- UnshieldedCleanupCheck.h ----------------------------------------*- C++
//-*-===//
//
// Finds the await by which a coroutine wants to clean up after a cancellation
// while it is still cancelled: the await fails at once, the cleanup never runs.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNSHIELDEDCLEANUPCHECK_H
#define ASYNC_TIDY_UNSHIELDEDCLEANUPCHECK_H

#include "CancellationCheck.h"

namespace clang::tidy::async {

class UnshieldedCleanupCheck : public CancellationCheck {
public:
  UnshieldedCleanupCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  /// `if (token.stop_requested()) { co_await cleanup(token); return; }`
  void checkTest(const async_tidy::FunctionBody &Body, const IfStmt &Test);
  bool isTrusted(const Expr &Operand);
  void report(const CancellationFinding &F) override;

  const std::vector<StringRef> ShieldFunctions;
  const std::vector<StringRef> CancelImmune;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNSHIELDEDCLEANUPCHECK_H
