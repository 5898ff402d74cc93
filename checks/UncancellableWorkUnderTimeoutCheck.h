//===--- UncancellableWorkUnderTimeoutCheck.h -------------------*- C++ -*-===//
//
// Finds timeouts over work that does not hear of them: work on another thread,
// a computation, a call that is merely dropped. The timeout is late, or the
// work goes on without the caller.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNCANCELLABLEWORKUNDERTIMEOUTCHECK_H
#define ASYNC_TIDY_UNCANCELLABLEWORKUNDERTIMEOUTCHECK_H

#include "AsyncCheck.h"
#include "analysis/DeafWork.h"

namespace clang::tidy::async {

class UncancellableWorkUnderTimeoutCheck : public AsyncCheck {
public:
  UncancellableWorkUnderTimeoutCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  void report(const async_tidy::FunctionBody &Body, const async_tidy::Limit &L,
              const async_tidy::DeafWork &Found);

  const std::vector<StringRef> OffloadFunctions;
  const std::vector<StringRef> AllowedFunctions;
  const bool WarnOnByRefCapture;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNCANCELLABLEWORKUNDERTIMEOUTCHECK_H
