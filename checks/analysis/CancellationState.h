//===--- CancellationState.h - What is known on one path --------*- C++ -*-===//
//
// The lattice of CancellationFlow: what variables hold in the scenario "it was
// cancelled", and how expressions are evaluated in it.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_CANCELLATIONSTATE_H
#define ASYNC_TIDY_ANALYSIS_CANCELLATIONSTATE_H

#include "CancellationArrival.h"
#include <map>
#include <optional>

namespace async_tidy {

/// What an expression stands for in the scenario.
enum class Meaning {
  Unknown,
  Cancellation, ///< the error, or something made from it that still says so
  Text,         ///< a rendering of it for humans
  Nothing,      ///< no error: null pointer, success
  True,
  False,
};

/// \p E names a plain flag of the function it stands in: it says what the code
/// put into it, whatever its name, and nobody else can set it.
bool isOwnFlag(const clang::Expr &E);

/// What is known at one point of a path. Ordered, so that visited states can be
/// kept in a set.
struct CancellationState {
  std::map<const clang::ValueDecl *, Meaning> Variables;
  /// The exception being handled is the cancellation.
  bool Handling = false;
  bool Tested = false;
  bool Acknowledged = false;
  bool Awaited = false;
  /// A condition decided that has nothing to do with the cancellation.
  bool Unrelated = false;
  /// A branch asked for the cancellation by its name.
  bool Named = false;
  /// The loop went on with the next item, the error kept.
  bool NextItem = false;
  /// What is awaited from here on is not cancelled any more.
  bool Shielded = false;
  const clang::Expr *Test = nullptr;

  Meaning of(const clang::ValueDecl *D) const {
    auto It = Variables.find(D);
    return It == Variables.end() ? Meaning::Unknown : It->second;
  }
  bool operator<(const CancellationState &O) const {
    return std::tie(Variables, Handling, Tested, Acknowledged, Awaited,
                    Unrelated, Named, NextItem, Shielded) <
           std::tie(O.Variables, O.Handling, O.Tested, O.Acknowledged,
                    O.Awaited, O.Unrelated, O.Named, O.NextItem, O.Shielded);
  }
};

/// Evaluates expressions in a state.
class CancellationEvaluator {
public:
  /// Meaning of a call to a function of this file, given its arguments'; empty
  /// when it cannot be looked into.
  using CallMeaning = llvm::function_ref<std::optional<Meaning>(
      const clang::CallExpr &, const CancellationState &)>;

  /// \p Source, if any, is an expression that gave the cancellation as a value.
  CancellationEvaluator(const SymbolRoles &Roles,
                        llvm::ArrayRef<ThrownCancellation> Thrown,
                        const clang::Expr *Source = nullptr)
      : Roles(Roles), Thrown(Thrown), Source(Source) {}

  Meaning evaluate(const clang::Expr *E, const CancellationState &S,
                   CallMeaning Call) const;

  /// \p E as a condition; empty when either is possible. \p UsesError is set
  /// when the answer depends on the cancellation.
  std::optional<bool> condition(const clang::Expr *E,
                                const CancellationState &S, CallMeaning Call,
                                bool &UsesError) const;

  /// A constant or value that means "cancelled" is written in \p E.
  bool namesCancellation(const clang::Expr *E) const;

  /// Throwing a \p T lets the cancellation through: it is one.
  bool isCancellationType(clang::QualType T) const;

  /// The function or stream operator \p E writes somewhere for humans to read.
  bool isLogging(const clang::Expr &E) const;

  /// A \p T is an error, or holds one.
  bool isErrorType(clang::QualType T) const;

  /// `holds<E>()` asks for errors of one type: whether the cancellation is one.
  /// Empty for calls that ask for none.
  std::optional<bool> asksForType(const clang::CallExpr &E) const;

private:
  std::optional<bool> equality(const clang::Expr *L, const clang::Expr *R,
                               const CancellationState &S,
                               CallMeaning Call) const;
  std::optional<bool> truth(Meaning M, clang::QualType T) const;
  Meaning evaluateCall(const clang::CallExpr &E, const CancellationState &S,
                       CallMeaning Call) const;

  const SymbolRoles &Roles;
  llvm::ArrayRef<ThrownCancellation> Thrown;
  const clang::Expr *Source;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_CANCELLATIONSTATE_H
