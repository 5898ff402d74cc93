//===--- TimeSums.h - How long may this take, by its limits? ----*- C++ -*-===//
//
// Adds up what the limits inside some work allow it to take: steps one after
// the other by sum, steps side by side and branches that exclude each other by
// the longest, a retry by its attempts and pauses, a limit over others by the
// smaller of both. Callees and lambdas of this file are followed, their
// parameters bound to what the caller passes.
//
// Only amounts that are certain count. What has no limit, or one that nobody
// can add up, adds nothing, so a sum is the least that the code allows. A limit
// that is what is left until a point in time adds nothing either: it cannot
// exceed what surrounds it.
//
// What a sum is made of is kept as segments, in the order in which they pass.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_TIMESUMS_H
#define ASYNC_TIDY_ANALYSIS_TIMESUMS_H

#include "Coroutines.h"
#include "Durations.h"
#include "Limits.h"
#include "RetryLoops.h"

namespace async_tidy {

/// One stretch of a sum.
struct TimeStretch {
  enum Kind {
    Limited, ///< work under a limit
    Pause,   ///< only time passes
    Retried, ///< the attempts of a retry and the pauses between them
  } What;
  double Nanoseconds; ///< all \p Times together
  /// How often it passes: turns of a loop or attempts.
  unsigned Times = 1;
  /// What sets the time: the limit or the pause; in a retry, that of an
  /// attempt.
  const clang::Expr *At;
  /// One turn as the code gives it: its constants.
  Amount Each;
  /// Retried: the part of Nanoseconds that goes by between attempts.
  double Pauses = 0;
  /// Retried: the loop, or the call of the helper that tries again.
  const clang::Stmt *Again = nullptr;
  const FunctionBody *In = nullptr; ///< the body that At stands in
  /// The functions between the sum's beginning and At, outermost first.
  llvm::SmallVector<const clang::FunctionDecl *, 3> Chain = {};
};

struct TimeSum {
  double Nanoseconds = 0;
  /// Every wait has a limit, so Nanoseconds is also the most.
  bool Complete = true;
  llvm::SmallVector<TimeStretch, 4> Segments;
};

class TimeSums {
public:
  explicit TimeSums(AnalysisContext &Context) : Context(Context) {}

  /// What \p Work, under the limit \p L of \p Body, may take.
  TimeSum under(const FunctionBody &Body, const Limit &L,
                const clang::Expr *Work, unsigned MaxCalls);

  /// What a call of \p F may take.
  TimeSum of(const FunctionBody &F, unsigned MaxCalls);

  /// The time \p T is what is left until a point that was fixed elsewhere.
  bool isRemainder(const FunctionBody &Body, const TimeExpr &T);

private:
  /// What passes on the longest way to each end of a statement; empty when it
  /// does not end that way.
  struct Ends {
    std::optional<TimeSum> Falls;  ///< goes on behind it
    std::optional<TimeSum> Breaks; ///< to the end of the loop or switch
    std::optional<TimeSum> Leaves; ///< out of the function
  };
  struct Place {
    const FunctionBody &Body;
    const Bindings &Bound;
    unsigned Calls; ///< how many more calls may be followed
    /// The longest of what was started before it is awaited, and so runs beside
    /// the rest.
    TimeSum &Beside;
  };

  TimeSum work(const Place &At, const clang::Expr *E, const Limit *Skip);
  TimeSum limited(const Place &At, const clang::Expr *E, const Limit &Own);
  TimeSum call(const Place &At, const clang::Expr *E);
  std::optional<TimeSum> retryHelper(const Place &At,
                                     const clang::CallExpr &Call);
  TimeSum body(const FunctionBody &Callee, const Bindings &Bound,
               unsigned Calls);
  TimeSum expression(const Place &At, const clang::Stmt *E);
  Ends run(const Place &At, const clang::Stmt *S);
  Ends runAll(const Place &At, llvm::ArrayRef<const clang::Stmt *> Block);
  Ends runSwitch(const Place &At, const clang::SwitchStmt &Switch);
  Ends runLoop(const Place &At, const clang::Stmt &Loop);
  std::optional<TimeSum> retryLoop(const Place &At, const clang::Stmt &Loop);
  std::optional<unsigned> turns(const Place &At, const clang::Stmt &Loop);

  AnalysisContext &Context;
  llvm::SmallPtrSet<const FunctionBody *, 8> Busy;
  unsigned Steps = 0;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_TIMESUMS_H
