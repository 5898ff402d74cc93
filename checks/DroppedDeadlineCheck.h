//===--- DroppedDeadlineCheck.h ---------------------------------*- C++ -*-===//
//
// Finds awaited calls that do not get the deadline, or the timeout, which is at
// hand, though they could take one: the caller gives up in time, the callee
// works on.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DROPPEDDEADLINECHECK_H
#define ASYNC_TIDY_DROPPEDDEADLINECHECK_H

#include "AsyncCheck.h"
#include "analysis/Tokens.h"

namespace clang::tidy::async {

class DroppedDeadlineCheck : public AsyncCheck {
public:
  DroppedDeadlineCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  /// \p P says until when, or for how long, there is time.
  bool isTimeLimit(const ParmVarDecl &P);
  void checkCall(const async_tidy::FunctionBody &Body, const CallExpr &Call,
                 const ParmVarDecl &TimeLimit);

  const std::vector<StringRef> AllowedFunctions;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_DROPPEDDEADLINECHECK_H
