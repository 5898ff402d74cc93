//===--- HeldLocks.h - Which locks are held at which await? -----*- C++ -*-===//
//
// Answers: with which locks of its thread may a coroutine reach a `co_await` or
// `co_yield`? Follows each lock along the CFG from where it is taken (a guard's
// initialisation, `m.lock()`, a parameter that brings it along) to where it is
// given back (`unlock()`, a move out, the end of the guard's scope), through
// members of structs, containers, helpers of this file, and branches on whether
// it was got (`owns_lock()`, `if (m.try_lock())`) or on a condition that
// decides about taking and giving back alike.
//
// Where it cannot tell it takes the lock for not held. A handler's code starts
// with what is held wherever its `try` may throw.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_HELDLOCKS_H
#define ASYNC_TIDY_ANALYSIS_HELDLOCKS_H

#include "CoroutineCfg.h"

namespace async_tidy {

/// One place where a lock is taken.
struct LockSite {
  enum Kind {
    Guarded,   ///< by a variable, \c Guard, or a part of it
    Temporary, ///< by an object that dies with its full expression
    Manual,    ///< by a call, and no object gives it back
    Received,  ///< by the caller; \c Guard is the parameter or capture
  } How = Manual;
  clang::SourceLocation Taken;
  std::string Lock; ///< the mutex as written; empty when it is not
  const clang::VarDecl *Guard = nullptr;
  /// The statement at whose end the guard dies; null when none bounds it.
  const clang::Stmt *Scope = nullptr;
};

/// A suspension, or for \c AtReturn a `co_return`, reached with a lock.
struct HeldLock {
  const clang::Stmt *Where;
  const LockSite *Site;
};

class HeldLocks {
public:
  explicit HeldLocks(AnalysisContext &Context) : Context(Context) {}

  /// What is held at the suspensions of \p Body, in source order of these.
  llvm::ArrayRef<HeldLock> atSuspensions(const FunctionBody &Body);
  /// What outlives the body at its `co_return` statements: locks without guard
  /// and those of parameters.
  llvm::ArrayRef<HeldLock> atReturns(const FunctionBody &Body);

private:
  struct Result {
    std::vector<std::unique_ptr<LockSite>> Sites;
    std::vector<HeldLock> Suspensions, Returns;
  };
  class Flow;
  const Result &of(const FunctionBody &Body);

  AnalysisContext &Context;
  llvm::DenseMap<const FunctionBody *, std::unique_ptr<Result>> Known;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_HELDLOCKS_H
