//===--- Durations.h - How long is this? ------------------------*- C++ -*-===//
//
// Folds an expression to an amount: a duration to nanoseconds, a point in time
// to nanoseconds from now, a plain number to itself. What is folded is what a
// reader can add up without running the program: literals, constants,
// arithmetic, casts, `min`/`max`/`clamp`, defaults.
//
// A `duration` is any class template over a number type and a ratio (the
// standard library's and those modelled on it), a point in time any class
// template over a clock and a duration.
//
// Amounts are kept as double: exact for whole nanoseconds up to 104 days,
// and no sum or product can overflow.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_DURATIONS_H
#define ASYNC_TIDY_ANALYSIS_DURATIONS_H

#include "AnalysisContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>
#include <string>

namespace async_tidy {

/// A named constant that took part in an amount.
struct AmountOrigin {
  const clang::ValueDecl *Name; ///< variable, parameter, field or enumerator
  double Value;                 ///< nanoseconds or plain number
  bool IsDuration;
};

/// What an expression amounts to: a range whose ends may be unknown.
struct Amount {
  std::optional<double> Low, High;
  /// A point in time: nanoseconds after the moment `now()` was read.
  bool FromNow = false;
  /// Holds unless a caller or the configuration says otherwise: a default
  /// argument, a default member initialiser, a global that may be written.
  bool ByDefault = false;
  /// The named constants it comes from, outermost first.
  llvm::SmallVector<AmountOrigin, 2> Origins;
  /// When unknown: the first name whose value was missing, if it has one.
  const clang::ValueDecl *DependsOn = nullptr;

  bool exact() const { return Low && High && *Low == *High; }
  /// The value if there is just one.
  std::optional<double> value() const { return exact() ? Low : std::nullopt; }
  /// Nanoseconds as an integer, saturated at the ends of its range.
  std::optional<int64_t> nanoseconds() const;

  static Amount of(double Value) {
    Amount A;
    A.Low = A.High = Value;
    return A;
  }
  static Amount unknown(const clang::ValueDecl *DependsOn = nullptr) {
    Amount A;
    A.DependsOn = DependsOn;
    return A;
  }
};

/// Values of variables at one moment, for folding inside a loop. A variable
/// bound to an unknown amount is unknown even when it has an initialiser.
using Bindings = llvm::DenseMap<const clang::ValueDecl *, Amount>;

/// True for `std::chrono::duration` and classes of its shape.
bool isDurationType(clang::QualType T);
/// True for `std::chrono::time_point` and classes of its shape.
bool isTimePointType(clang::QualType T);

/// "1 s", "1.5 s", "100 ms", "2 min".
std::string formatDuration(double Nanoseconds);

class Durations {
public:
  explicit Durations(AnalysisContext &Context) : Context(Context) {}

  /// What \p E amounts to: nanoseconds for durations and points in time, 0 or 1
  /// for conditions, else a plain number.
  Amount fold(const clang::Expr *E, const Bindings *Bound = nullptr);

  /// The same for an expression that means a span of time; a plain number
  /// counts \p NumberUnit nanoseconds (0: has no meaning, so unknown).
  Amount foldTime(const clang::Expr *E, double NumberUnit,
                  const Bindings *Bound = nullptr);

  /// The value \p Var starts with, whether or not it changes later.
  Amount initialValue(const clang::VarDecl &Var,
                      const Bindings *Bound = nullptr);

  /// No statement in the function of the local \p Var (lambdas included)
  /// changes it or gives away the means to.
  bool isNeverModified(const clang::VarDecl &Var);

  /// The result of a binary operator of type \p Type on known amounts.
  static Amount apply(clang::BinaryOperatorKind Op, const Amount &A,
                      const Amount &B, clang::QualType Type);

  /// `now()` of some clock.
  bool isNow(const clang::Expr &E) const;

  /// `now()` of a clock whose points in time are plain numbers, somewhere in
  /// \p E.
  bool asksNumberClock(const clang::Expr *E) const;

private:
  Amount foldImpl(const clang::Expr *E, const Bindings *Bound, unsigned Depth);
  Amount foldCall(const clang::CallExpr &Call, const Bindings *Bound,
                  unsigned Depth);
  Amount foldVariable(const clang::ValueDecl &D, const Bindings *Bound,
                      unsigned Depth);
  Amount evaluate(const clang::Expr &E);

  AnalysisContext &Context;
  llvm::DenseMap<const clang::VarDecl *, bool> NeverModified;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_DURATIONS_H
