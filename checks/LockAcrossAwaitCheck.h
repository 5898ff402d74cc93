//===--- LockAcrossAwaitCheck.h ---------------------------------*- C++ -*-===//
//
// Finds a lock of a thread that a coroutine still holds when it suspends:
// another coroutine on this thread that wants it waits for ever, and a resume
// on another thread unlocks a mutex that thread does not own.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_LOCKACROSSAWAITCHECK_H
#define ASYNC_TIDY_LOCKACROSSAWAITCHECK_H

#include "AsyncCheck.h"
#include "analysis/HeldLocks.h"

namespace clang::tidy::async {

class LockAcrossAwaitCheck : public AsyncCheck {
public:
  LockAcrossAwaitCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  NamesByRole modelFromOptions() const override;

private:
  using Sites = llvm::SmallVector<const async_tidy::LockSite *, 2>;

  bool isAllowed(const async_tidy::FunctionBody &Body, const Expr &Suspension);
  void report(const async_tidy::FunctionBody &Body, const Expr &Suspension,
              const Sites &Held);
  void reportReturn(const Stmt &Return, const async_tidy::LockSite &Site);
  /// Ends the guard's life before the await where that changes nothing else.
  std::vector<FixItHint> closeScope(const async_tidy::FunctionBody &Body,
                                    const Expr &Suspension,
                                    const async_tidy::LockSite &Site);
  /// Opens the lock for as long as the await takes.
  std::vector<FixItHint> openMeanwhile(const async_tidy::FunctionBody &Body,
                                       const Expr &Suspension,
                                       const async_tidy::LockSite &Site);
  std::string advice(const async_tidy::FunctionBody &Body);

  const std::vector<StringRef> LockTypes, LockGuards, AsyncLockTypes;
  const std::vector<StringRef> AllowedAwaitables, AllowedCallees;
  const bool CoYield, CoReturn, AssumeSingleThreaded;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_LOCKACROSSAWAITCHECK_H
