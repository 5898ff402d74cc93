//===--- OutsideCancellation.h - Can anybody cancel this? -------*- C++ -*-===//
//
// Answers: may a coroutine be cancelled by somebody else, as far as this file
// shows? Whoever awaits it may be cancelled in turn, or puts a limit on it or
// lets it race; whoever starts it may keep a way to stop it. A root that is
// started with nothing of that kind runs until it ends by itself, and so does
// what only such roots await.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_OUTSIDECANCELLATION_H
#define ASYNC_TIDY_ANALYSIS_OUTSIDECANCELLATION_H

#include "Coroutines.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace async_tidy {

class OutsideCancellation {
public:
  explicit OutsideCancellation(AnalysisContext &Context) : Context(Context) {}

  /// False when each use of \p F in this file, and there is one, keeps no way
  /// to cancel it.
  bool reaches(const clang::FunctionDecl &F);

  /// \p F yields nothing and runs, as far as this file shows, only as one side
  /// of races that nobody outside cancels: when it is cancelled it has lost,
  /// and how it ends tells nobody anything.
  bool onlyLosesRaces(const clang::FunctionDecl &F);

  /// Whoever awaits \p F in this file, and somebody does, awaits something else
  /// behind it, or is awaited so: what fails again once cancelled tells them.
  bool isFollowedByAwaits(const clang::FunctionDecl &F);

private:
  using Path = llvm::SmallPtrSet<const clang::FunctionDecl *, 8>;
  bool reaches(const clang::FunctionDecl &F, Path &Asked);
  bool isFollowedByAwaits(const clang::FunctionDecl &F, Path &Asked);
  bool keepsControl(const FunctionUse &Use);

  AnalysisContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_OUTSIDECANCELLATION_H
