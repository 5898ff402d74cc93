//===--- AttemptRun.h - One attempt, run in the mind ------------*- C++ -*-===//
//
// Runs a loop's body on the AST, with one await succeeding or failing, and says
// on which paths control leaves the loop and on which it comes round again.
// RetryLoops draws the conclusions. Conditions are decided by known numbers, by
// flags, and by how an await went; all others go both ways.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_ATTEMPTRUN_H
#define ASYNC_TIDY_ANALYSIS_ATTEMPTRUN_H

#include "Coroutines.h"
#include "Durations.h"
#include "Limits.h"

namespace async_tidy {

class AttemptRun {
public:
  enum Flow {
    Falls,     ///< goes on behind the statement
    Continues, ///< starts the next iteration
    Breaks,    ///< leaves the innermost loop or switch
    Leaves,    ///< leaves the function, without an exception to catch
    Throws,    ///< looks for a handler
  };
  /// How the await went whose result a variable holds.
  enum Outcome { Success, Failure, Empty };

  struct State {
    Bindings Values;
    llvm::DenseMap<const clang::ValueDecl *, Outcome> Outcomes;
    bool Reached = false; ///< the await in question was executed
    bool Failed = false;  ///< and failed, or something was thrown
    bool ByThrow = false; ///< by an exception
    bool Worked =
        false; ///< something was done after it but waiting and logging
    bool Counted = false; ///< a number was stepped on the way
    double Pauses = 0, Limits = 0;
    bool PausesKnown = true, LimitsKnown = true;
    unsigned Awaited = 0; ///< how often it was executed
  };
  struct Path {
    State S;
    Flow F;
  };
  using Paths = llvm::SmallVector<Path, 4>;

  /// \p Loop null: a run of the whole body, whose next iteration is a call of
  /// itself. \p Succeed: all awaits succeed, else \p Target fails.
  AttemptRun(AnalysisContext &Context, const FunctionBody &Body,
             const clang::Stmt *Loop, const clang::Expr *Target, bool Succeed);

  /// What is known when the loop begins.
  State start(const Bindings *Initial);
  /// One iteration: each path that ends it, Falls and Breaks resolved into
  /// Continues (the loop goes on) or Leaves.
  Paths iterate(State S);
  /// Too many paths, or a statement nobody can follow: no answer counts.
  bool gaveUp() const { return GaveUp; }
  /// The loop has a condition that nothing is known about.
  bool mayEnd() const { return MayEnd; }
  /// The call of itself that a recursion went through.
  const clang::Expr *selfCall() const { return SelfCall; }
  /// Pauses seen on the way.
  llvm::ArrayRef<Sleep> pauses() const { return Pauses; }

private:
  Paths run(const clang::Stmt *S, State In);
  Paths runTry(const clang::CXXTryStmt &Try, State In);
  Paths runSwitch(const clang::SwitchStmt &Switch, State In);
  Paths runInnerLoop(const clang::Stmt &Loop, State In);
  Paths runDeclaration(const clang::DeclStmt &Declares, State In);
  Paths then(Paths First, llvm::function_ref<Paths(State)> Next);
  /// Everything a full expression does besides giving a value.
  /// \p Evaluated: its counters and assignments take effect, too.
  Paths effects(const clang::Expr *E, State In, bool Evaluated = true);

  struct Decided {
    State S;
    std::optional<bool> Truth;
  };
  /// A condition, its effects included; throwing paths go to \p Thrown.
  llvm::SmallVector<Decided, 2> decide(const clang::Expr *E, State In,
                                       Paths &Thrown);
  Amount evaluate(const clang::Expr *E, State &S);
  std::optional<bool> truth(const clang::Expr *E, State &S);
  std::optional<Outcome> outcome(const clang::Expr *E, const State &S);
  std::optional<bool> compare(const clang::Expr *L, const clang::Expr *R,
                              State &S);
  void assign(const clang::ValueDecl &Var, const clang::Expr *Value, State &S);
  void passTime(const clang::Expr &Await, State &S);
  bool isErrorLike(clang::QualType T) const;
  /// Position of the winner among the arms of a race when the work succeeds or
  /// runs out of time.
  std::optional<double> winner(bool Succeeded);

  AnalysisContext &Context;
  const FunctionBody &Body;
  const clang::Stmt *Loop;
  const clang::Expr *Target;
  bool Succeed;
  bool GaveUp = false, MayEnd = false;
  unsigned Steps = 0;
  const clang::Expr *SelfCall = nullptr;
  llvm::SmallVector<Sleep, 2> Pauses;
  llvm::DenseMap<const clang::Expr *, std::optional<Sleep>> SleepOf;
  llvm::DenseMap<const clang::Expr *, llvm::SmallVector<Limit, 2>> LimitsOf;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_ATTEMPTRUN_H
