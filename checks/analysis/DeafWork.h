//===--- DeafWork.h - Does work hear that its time is up? -------*- C++ -*-===//
//
// Answers: does what a limit is put on go on when time is up, because nothing
// tells it? Three kinds of work do not hear:
//
// - a callable that runs on another thread and is given nothing to ask;
// - a coroutine that computes without ever waiting for something that could be
//   cancelled;
// - a call whose future the limit just drops, when the call got something of
//   the caller that the caller takes for its own again: variables by
//   reference, a guard.
//
// Work hears when it is given, or asks, a token, a flag or a deadline, when
// what it does has limits of its own, or when there is a second callable to
// stop it. Shields are another matter (Shields.h).
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_DEAFWORK_H
#define ASYNC_TIDY_ANALYSIS_DEAFWORK_H

#include "Limits.h"

namespace async_tidy {

struct DeafWork {
  enum Kind {
    Offloaded, ///< runs on another thread
    Computing, ///< waits for nothing
    Dropped,   ///< holds things of the caller
  } What;
  const clang::Expr *At;   ///< what starts it: a call, a lambda
  const clang::Expr *Work; ///< the callable, or the call again
  /// Dropped: what it holds, see IsGuard.
  const clang::ValueDecl *Holds = nullptr;
  bool IsGuard = false; ///< it was given a guard, not a reference
  /// The functions between the limit and the work, outermost first; that of a
  /// computation is the last one.
  llvm::SmallVector<const clang::FunctionDecl *, 3> Chain = {};
};

class DeafWorks {
public:
  struct Policy {
    /// Calls that run their callable on another thread besides those of the
    /// models.
    llvm::function_ref<bool(const clang::FunctionDecl &)> Offloads;
  };

  explicit DeafWorks(AnalysisContext &Context) : Context(Context) {}

  /// The first work under \p L, a limit in \p Body, that does not hear of it.
  std::optional<DeafWork> under(const FunctionBody &Body, const Limit &L,
                                const Policy &P);

  /// \p S is given, or asks, something that can say that it should end.
  bool isToldToStop(const clang::Stmt *S) { return hears(S, nullptr); }

private:
  using Result = std::optional<DeafWork>;
  Result search(const FunctionBody &Body, const clang::Expr *E, const Policy &P,
                unsigned Depth, bool OnPool, bool SkipTokens);
  Result searchBody(const clang::FunctionDecl &F, const Policy &P,
                    unsigned Depth, bool OnPool, const clang::Expr *Call);
  Result offloaded(const FunctionBody &Body, const clang::Expr *E,
                   const Policy &P, unsigned Depth);
  Result dropped(const FunctionBody &Body, const clang::Expr *E);
  bool hears(const clang::Stmt *S, const FunctionBody *Inside);
  bool isListening(const clang::Expr &E);
  bool isLong(const FunctionBody &Body, bool OnPool);

  AnalysisContext &Context;
};

/// Locals of the frame that the work \p E reaches by reference.
llvm::SmallVector<const clang::ValueDecl *, 4>
borrowedBy(const clang::Expr *Work);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_DEAFWORK_H
