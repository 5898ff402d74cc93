//===--- SingleUse.h - Is a task used a second time? ------------*- C++ -*-===//
//
// Answers: can this variable's task, which runs once, be moved away or awaited
// when it has been moved away before? The second use may be the same expression
// in the next turn of a loop, reached through a handler.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_SINGLEUSE_H
#define ASYNC_TIDY_ANALYSIS_SINGLEUSE_H

#include "CoroutineCfg.h"

namespace async_tidy {

/// A use of a task that was moved away.
struct SecondUse {
  const clang::VarDecl *Task;
  const clang::Expr *First;  ///< the `std::move` that used it up
  const clang::Expr *Second; ///< the `std::move` or await that comes too late
};

class SingleUse {
public:
  explicit SingleUse(AnalysisContext &Context) : Context(Context) {}

  /// One for each variable of \p Body, at most.
  llvm::SmallVector<SecondUse, 2> secondUsesIn(const FunctionBody &Body);

private:
  /// Awaiting a \p T takes what it holds: it can be moved, but not copied.
  bool isUsedOnce(clang::QualType T) const;

  AnalysisContext &Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_SINGLEUSE_H
