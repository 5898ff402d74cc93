//===--- DroppedCancellationTokenCheck.h ------------------------*- C++ -*-===//
//
// Finds waits that do not get the cancellation token which is at hand, though
// they could take one: a cancelled caller waits for them to the end.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DROPPEDCANCELLATIONTOKENCHECK_H
#define ASYNC_TIDY_DROPPEDCANCELLATIONTOKENCHECK_H

#include "AsyncCheck.h"
#include "analysis/Tokens.h"

namespace clang::tidy::async {

class DroppedCancellationTokenCheck : public AsyncCheck {
public:
  DroppedCancellationTokenCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  /// Whether \p Call drops a token.
  bool checkCall(const async_tidy::FunctionBody &Body, const CallExpr &Call);
  void checkStaleToken(const async_tidy::FunctionBody &Body);
  void checkUnusedParameter(const async_tidy::FunctionBody &Body);
  void report(const CallExpr &Call, ArrayRef<async_tidy::ReachableToken> At,
              ArrayRef<std::string> Texts,
              const async_tidy::OmittedParameter *Omitted,
              const FunctionDecl *Twin);
  bool isShortPause(const async_tidy::FunctionBody &Body, const CallExpr &Call);

  const std::vector<StringRef> AllowedFunctions;
  const bool CheckUnusedParameter;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_DROPPEDCANCELLATIONTOKENCHECK_H
