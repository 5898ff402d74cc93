//===--- RetryLoops.h - Is this loop a retry? -------------------*- C++ -*-===//
//
// Answers: is this await tried again when it fails, how often, and with what
// pauses? A loop is a retry around an await when success leaves it and failure
// goes round again; a coroutine that calls itself on its failure path counts as
// one. Accept loops, streaming loops and pollers are none: there success goes
// on, or failure leaves.
//
// The loop's body is run in the mind, on the AST: once with every await
// successful, where no path may reach the next iteration; once with the await
// in question failing (by an exception, an error code or an empty result),
// where one must; then iteration after iteration until the loop's own counting
// ends it, which gives the number of attempts and the sum of pauses. What a
// condition asks about a result is decided by the result's type and the test's
// meaning; conditions that nothing is known about go both ways. The work is
// bounded; a body with too many paths is no retry.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_RETRYLOOPS_H
#define ASYNC_TIDY_ANALYSIS_RETRYLOOPS_H

#include "Coroutines.h"
#include "Durations.h"
#include "Limits.h"

namespace async_tidy {

struct RetryLoop {
  /// The loop; null when the coroutine calls itself.
  const clang::Stmt *Loop = nullptr;
  /// The call by which the coroutine tries itself again.
  const clang::Expr *SelfCall = nullptr;

  /// Number of attempts when all of them fail.
  std::optional<unsigned> Attempts;
  /// A counter or a range ends it after a number of attempts not known here.
  bool Capped = false;
  /// Attempts follows from a default that may be changed elsewhere.
  bool ByDefault = false;
  /// The named constants that Attempts comes from.
  llvm::SmallVector<AmountOrigin, 2> AttemptOrigins;
  /// It tries one endpoint of a range after the other.
  bool OverRange = false;
  /// What is tried again has failed: it threw, or gave an error. Else it may
  /// have been asked for something that is not there yet.
  bool AfterError = false;
  /// Nothing but a flag or token that somebody else sets ends it: a service.
  bool UntilStopped = false;

  /// The pauses between attempts.
  llvm::SmallVector<Sleep, 2> Pauses;
  /// What all pauses and all limits of the attempts add up to, in nanoseconds,
  /// when Attempts and all of them are known.
  std::optional<double> PauseSum, LimitSum;
  /// The same for each attempt, in nanoseconds; empty when a sum is not known.
  struct Round {
    double Limit, Pause;
  };
  llvm::SmallVector<Round, 4> Rounds;
};

class RetryLoops {
public:
  explicit RetryLoops(AnalysisContext &Context) : Context(Context) {}

  /// The innermost retry around \p Await, a suspension of \p Body.
  /// \p Initial are values of parameters, if a call that is looked at gives
  /// them.
  std::optional<RetryLoop> around(const FunctionBody &Body,
                                  const clang::Expr *Await,
                                  const Bindings *Initial = nullptr);

  /// \p F calls its callable parameter again when it fails: the position of
  /// that parameter, and the await in \p F's body it is called in.
  struct Helper {
    int Callable = -1;
    const clang::Expr *Await = nullptr;
  };
  std::optional<Helper> helper(const clang::FunctionDecl &F);

  /// The time that \p Loop takes, or all of \p Body when it is null, has a
  /// limit: there, in the callers, or because the models say so.
  bool isBudgeted(const FunctionBody &Body, const clang::Stmt *Loop);

private:
  std::optional<RetryLoop> examine(const FunctionBody &Body,
                                   const clang::Stmt *Loop,
                                   const clang::Expr *Await,
                                   const Bindings *Initial);

  AnalysisContext &Context;
  std::map<const clang::FunctionDecl *, std::optional<Helper>> Helpers;
};

/// Number of elements of the range of \p Loop, if its type or list tells.
std::optional<unsigned> sizeOfRange(const clang::CXXForRangeStmt &Loop);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_RETRYLOOPS_H
