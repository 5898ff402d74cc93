//===--- Limits.h - Which limits apply to an await? -------------*- C++ -*-===//
//
// Answers: how long may this await take, says the code around it? A limit is a
// timeout wrapper, a completion token with a limit, a race with a timer, or a
// point in time or timeout handed to the awaited call. Wrappers the user wrote
// in the same file count: a function that forwards a parameter into a timeout
// is a timeout, one that only waits for a timer is a sleep, one that shields
// its parameter is a shield.
//
// Expressions are looked at as written. A local variable stands for its
// initialiser, so `auto op = timeout(f(), 1s); co_await std::move(op);` is
// limited.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_LIMITS_H
#define ASYNC_TIDY_ANALYSIS_LIMITS_H

#include "Coroutines.h"
#include "Durations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

namespace async_tidy {

/// A span or point in time as the code gives it.
struct TimeExpr {
  const clang::Expr *E = nullptr; ///< null: the code does not show it
  double NumberUnit = 0;          ///< see Entry::NumberUnit
  bool Absolute = false;          ///< a point in time
};

/// One limit on (a part of) an awaited expression.
struct Limit {
  enum Form {
    Wrapper,  ///< a call that takes the work and a time
    Token,    ///< a completion token
    Race,     ///< the work against a timer
    Argument, ///< the awaited call itself takes a time
  } How;
  const clang::Expr *At; ///< the call that sets it, or the argument
  TimeExpr Time;
  /// What is limited. Empty for Argument: the call itself.
  llvm::SmallVector<const clang::Expr *, 2> Work;
  const Entry *Model = nullptr; ///< null for Argument
  /// The user's wrapper this goes through; Time may then stand in its body.
  const clang::FunctionDecl *Through = nullptr;
  bool TimeInsideWrapper = false;
  /// Race: the call or construction that set the timer, if it is in sight.
  const clang::Expr *TimerSet = nullptr;
  /// When At calls a function that limits work of its own: the limit there.
  const clang::Expr *Inside = nullptr;
};

/// An await, or part of one, that only lets time pass.
struct Sleep {
  const clang::Expr *At;
  TimeExpr Time;
  bool TimeInsideWrapper = false;
  /// For a timer object: what set it.
  const clang::Expr *TimerSet = nullptr;
};

/// Something that keeps cancellation from the work below it.
struct Shield {
  const clang::Expr *At;   ///< the shielding call
  const clang::Expr *Work; ///< what is shielded; null: what follows At
  const Entry *Model;
  /// When At calls a user's wrapper: the shield in its body.
  const clang::Expr *Inside = nullptr;
};

class Limits {
public:
  explicit Limits(AnalysisContext &Context) : Context(Context) {}

  /// Limits within the expression \p Awaited of \p Body, outermost first.
  llvm::SmallVector<Limit, 2> limitsIn(const FunctionBody &Body,
                                       const clang::Expr *Awaited);

  /// What limits one attempt of \p Awaited: limitsIn(), or if there are none,
  /// the limit of the one thing that a called function of this file waits for.
  llvm::SmallVector<Limit, 2> attemptLimits(const FunctionBody &Body,
                                            const clang::Expr *Awaited);

  /// Limits that apply to \p E as a part of a larger expression of \p Body, or
  /// through a local variable that \p E initialises.
  llvm::SmallVector<Limit, 2> enclosing(const FunctionBody &Body,
                                        const clang::Expr *E);

  /// Each use of \p F in this file, and there is one, is under a limit there
  /// or in the callers of its caller.
  bool isLimitedByCallers(const clang::FunctionDecl &F);

  /// \p Awaited only lets time pass.
  std::optional<Sleep> sleepIn(const FunctionBody &Body,
                               const clang::Expr *Awaited);

  /// \p E is a shield by itself (not through what it calls).
  std::optional<Shield> shieldAt(const FunctionBody &Body,
                                 const clang::Expr *E);

  /// The amount of \p L, in nanoseconds.
  Amount amount(const Limit &L, const Bindings *Bound = nullptr);
  Amount amount(const TimeExpr &T, const Bindings *Bound = nullptr);

  /// \p L gives each iteration of \p Loop its full time anew; false when it is
  /// one limit over all iterations, or what is left of one. A null \p Loop
  /// stands for calls of the whole body again and again.
  bool isFreshIn(const FunctionBody &Body, const clang::Stmt *Loop,
                 const Limit &L);

  /// The value of \p E follows from a point in time fixed outside \p Loop.
  bool followsDeadline(const FunctionBody &Body, const clang::Stmt *Loop,
                       const clang::Expr *E);

  /// Some condition inside \p Loop (its own included) asks how much time is
  /// left, or a timer that runs beside the loop will stop it.
  bool isCutByDeadline(const FunctionBody &Body, const clang::Stmt *Loop);

  /// \p E is a name for work: the expression behind local variables.
  const clang::Expr *resolve(const FunctionBody &Body, const clang::Expr *E);

private:
  struct Summary {
    bool Busy = false;
    std::optional<Limit> AsTimeout;
    int WorkParam = -1, TimeParam = -1;
    std::optional<Limit> AsLimited; ///< its own work has this limit
    int LimitedTimeParam = -1;
    std::optional<Sleep> AsSleep;
    int SleepParam = -1;
    const Entry *AsShield = nullptr;
    const clang::Expr *ShieldInside = nullptr;
    int ShieldParam = -1;
  };
  const Summary &summary(const clang::FunctionDecl &F);
  void collect(const FunctionBody &Body, const clang::Expr *E, unsigned Depth,
               llvm::SmallVectorImpl<Limit> &Out);
  void collectTokens(const FunctionBody &Body, const clang::Expr *Call,
                     const clang::Expr *E, unsigned Depth,
                     llvm::SmallVectorImpl<Limit> &Out);
  TimeExpr timeArgument(const clang::Expr &Call, const Entry &Model);
  std::optional<Sleep> timerWait(const FunctionBody &Body,
                                 const clang::Expr &Call);
  bool follows(const FunctionBody &Body, const clang::Stmt *Loop,
               const clang::Expr *E,
               llvm::SmallPtrSetImpl<const clang::ValueDecl *> &Seen,
               unsigned Depth);
  bool isLimitedByCallers(const clang::FunctionDecl &F, unsigned Depth);
  void findLimited(const FunctionBody &Body,
                   llvm::ArrayRef<const clang::Expr *> Outcomes, Summary &S);
  bool isCutShort(const FunctionBody &Body, const clang::Expr *E);
  bool comparesNumberClock(const FunctionBody &Body, const clang::Stmt *Loop,
                           const clang::BinaryOperator &Op);

  AnalysisContext &Context;
  std::map<const clang::FunctionDecl *, Summary> Summaries;
};

/// What \p Body waits for: the operands of its suspensions; of a plain function
/// what it returns, for its caller to wait for.
llvm::SmallVector<const clang::Expr *, 8> outcomesOf(const FunctionBody &Body);

/// What the race or gathering \p Call works on, lists of several things (`{a,
/// b}`) taken apart.
llvm::SmallVector<const clang::Expr *, 4> armsOf(const clang::Expr &Call);

/// \p E is a point in time or another carrier of a deadline.
bool isPointInTime(const SymbolRoles &Roles, const clang::Expr &E);

/// A name that says its value is what is left of a larger time.
bool saysRest(llvm::StringRef Name);

/// \p E, or the callee of a call \p E of it, as an argument of \p Call that
/// passes work: an awaitable, a lambda or another callable.
bool mentions(const FunctionBody &Body, const clang::Stmt *In,
              const clang::ValueDecl &D);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_LIMITS_H
