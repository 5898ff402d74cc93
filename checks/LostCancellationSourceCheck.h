//===--- LostCancellationSourceCheck.h --------------------------*- C++ -*-===//
//
// Finds cancellation sources whose token is handed out although nobody is left
// who could cancel with them: the work looks cancellable and is not.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_LOSTCANCELLATIONSOURCECHECK_H
#define ASYNC_TIDY_LOSTCANCELLATIONSOURCECHECK_H

#include "AsyncCheck.h"
#include "analysis/Tokens.h"

namespace clang::tidy::async {

class LostCancellationSourceCheck : public AsyncCheck {
public:
  LostCancellationSourceCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  /// Where the token of \p Source is handed out first; null when it is not, or
  /// when somebody may cancel with \p Source.
  const Expr *handedOut(const async_tidy::FunctionBody &Body,
                        const VarDecl &Source);

  const std::vector<StringRef> AllowedNames;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_LOSTCANCELLATIONSOURCECHECK_H
