//===--- ShieldedAwaitUnderTimeoutCheck.h -----------------------*- C++ -*-===//
//
// Finds timeouts over work that cannot be cancelled because something shields
// it: the timeout is late, or the caller gives up on work that goes on unseen.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_SHIELDEDAWAITUNDERTIMEOUTCHECK_H
#define ASYNC_TIDY_SHIELDEDAWAITUNDERTIMEOUTCHECK_H

#include "AsyncCheck.h"
#include "analysis/Shields.h"

namespace clang::tidy::async {

class ShieldedAwaitUnderTimeoutCheck : public AsyncCheck {
public:
  ShieldedAwaitUnderTimeoutCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  void report(const async_tidy::FunctionBody &Body, const async_tidy::Limit &L,
              const async_tidy::ShieldedWork &Found);

  const std::vector<StringRef> ShieldFunctions;
  const std::vector<StringRef> AllowedShieldedCallees;
  const bool AllowWithInnerTimeout;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_SHIELDEDAWAITUNDERTIMEOUTCHECK_H
