//===--- Permits.h - Is what was acquired given back? -----------*- C++ -*-===//
//
// Answers: a coroutine waits for a lock or permit and gives it back itself; is
// there a way out of it, by an exception, a cancellation or an early return,
// on which it does not? Does something give it back before it was had?
//
// Only permits that the code holds by hand are meant: acquired by an await that
// yields nothing, released by a call that names the same object. What is held
// by an object (units, a lock guard) is given back by its destructor.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_PERMITS_H
#define ASYNC_TIDY_ANALYSIS_PERMITS_H

#include "CoroutineCfg.h"

namespace async_tidy {

/// A permit that is waited for by hand.
struct Permit {
  const clang::Expr *Await;       ///< the suspension
  const clang::Expr *Acquire;     ///< the call in it
  const clang::ValueDecl *Object; ///< semaphore or mutex: variable or member
};

class Permits {
public:
  explicit Permits(AnalysisContext &Context) : Context(Context) {}

  /// Those that \p Body acquires, in source order.
  llvm::SmallVector<Permit, 2> acquiredIn(const FunctionBody &Body);

  /// A way on which \p P, acquired in \p Body, is not given back.
  struct Loss {
    const clang::Stmt *Where; ///< the await that may fail, or the jump
    bool ByFailure;
    const clang::Expr *Release; ///< what is skipped
  };
  /// None when \p Body never releases it by a call of its own (then somebody
  /// else will), or hands the object to something that may.
  std::optional<Loss> lossOf(const FunctionBody &Body, const Permit &P);

  /// The variable before \p P whose destruction gives back the permit, though
  /// the wait for it may fail; null when there is none.
  const clang::VarDecl *armedTooEarly(const FunctionBody &Body,
                                      const Permit &P);

private:
  /// The object that the call \p E works on when it has the role \p R.
  const clang::ValueDecl *objectOfRole(const clang::Expr &E, Role R) const;
  /// \p S, lambdas in it included, releases \p Object.
  bool releasesInLambda(const clang::Stmt &S, const clang::ValueDecl &Object);
  /// \p S gives the permit back or makes somebody else responsible for it.
  bool settles(const clang::Stmt &S, const Permit &P);

  AnalysisContext &Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_PERMITS_H
