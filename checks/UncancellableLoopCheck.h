//===--- UncancellableLoopCheck.h ----------------------------------------*- C++
//-*-===//
//
// Finds loops of coroutines that nothing can stop: they go on for ever without
// a point where a cancellation could arrive, spin on a path that changes
// nothing, or look at no error of what they await.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNCANCELLABLELOOPCHECK_H
#define ASYNC_TIDY_UNCANCELLABLELOOPCHECK_H

#include "AsyncCheck.h"

namespace clang::tidy::async {

class UncancellableLoopCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  /// Awaiting \p Await neither suspends nor lets a cancellation in.
  bool passesThrough(const async_tidy::FunctionBody &Body, const Expr &Await,
                     unsigned Depth = 0);
  bool hasExit(const async_tidy::FunctionBody &Body, const Stmt &Loop);
  bool asksToStop(const async_tidy::FunctionBody &Body, const Stmt &Loop);
  /// Where \p Loop may come round again with nothing done: the branch that
  /// leads there, or the loop when there is none.
  const Stmt *spinsAt(const async_tidy::FunctionBody &Body, const Stmt &Loop);
  bool looksAtNoError(const async_tidy::FunctionBody &Body, const Stmt &Loop);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNCANCELLABLELOOPCHECK_H
