//===--- CancellationArrival.h - How cancellation gets here -----*- C++ -*-===//
//
// Answers: can cancellation arrive in this `try`, as which exceptions, and
// which of its handlers receives it? Can the result of this await be a
// cancellation?
//
// It depends on the coroutine's library (its task type): where cancellation
// flows implicitly to what is awaited, each await that can be cancelled is a
// source; where it is passed on by hand, there must be a sign of it: a token in
// the call, among the parameters or members, or a handler that names the
// cancellation.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_CANCELLATIONARRIVAL_H
#define ASYNC_TIDY_ANALYSIS_CANCELLATIONARRIVAL_H

#include "Coroutines.h"

namespace async_tidy {

/// One form in which cancellation is thrown.
struct ThrownCancellation {
  const Entry *Model = nullptr; ///< `cancellation-type` or `code-exception`
  /// The class, when this file declares it.
  const clang::CXXRecordDecl *Class = nullptr;
  /// The exception carries a code that says so (and may carry others).
  bool byCode() const { return Model->Kind == Role::CodeException; }
};

/// What can arrive at a `try`.
struct Arrival {
  llvm::SmallVector<ThrownCancellation, 2> Thrown;
  const Library *Lib = nullptr;        ///< the library that delivers it
  const clang::Stmt *Source = nullptr; ///< the await or check that throws it
};

/// \p Base is \p Derived or one of its bases.
bool isSameOrBase(const clang::CXXRecordDecl *Base,
                  const clang::CXXRecordDecl *Derived);

/// True when \p Handler takes \p T.
bool catches(const clang::CXXCatchStmt &Handler, const ThrownCancellation &T);

class CancellationArrivals {
public:
  explicit CancellationArrivals(AnalysisContext &Context);

  /// What can be thrown into \p Try's handlers; `Thrown` is empty when nothing.
  Arrival at(const clang::CXXTryStmt &Try, const FunctionBody &Body);

  /// What a handler written for \p Handler's own type takes, for code outside
  /// any known library: the type is itself a cancellation.
  std::optional<ThrownCancellation>
  namedBy(const clang::CXXCatchStmt &Handler) const;

  /// The conversion (`to-value` entry) that makes \p Suspension yield its error
  /// as a value, and the expression it stands at; null when it throws.
  struct ValueResult {
    const Entry *Model = nullptr;
    const clang::Expr *Conversion = nullptr;
    /// Variable the error is written to (`redirect_error(token, ec)`).
    const clang::ValueDecl *Target = nullptr;
    /// That is no variable of this function: the caller has the error.
    bool Escapes = false;
  };
  ValueResult valueResult(const clang::Expr &Suspension) const;

  /// False for what is never cancelled: awaiting the executor, closing.
  bool cancellable(const clang::Expr &Suspension) const;

  /// Whether the code at \p Where in \p Body shows that a token reaches it:
  /// one is passed, what is worked on holds one, or a function of this file
  /// that is called there has one. Always true where cancellation is implicit.
  bool reaches(const Library &Lib, const clang::Stmt &Where,
               const FunctionBody &Body);

  /// Whether \p Where passes a token on, itself or in a coroutine of this file
  /// that it calls: once that is cancelled, so is this.
  bool passesToken(const clang::Stmt &Where, const FunctionBody &Body);

  /// A source that \p Body makes for itself, which nothing from outside fires:
  /// its cancellation is no order to stop.
  bool isOwnSource(const clang::ValueDecl &Source, const FunctionBody &Body);

  /// The forms in which \p Lib throws cancellation.
  llvm::ArrayRef<ThrownCancellation> thrownBy(const Library &Lib);

private:
  bool holdsToken(clang::QualType T) const;
  bool isTokenArgument(const clang::TemplateArgument &Arg) const;
  /// \p T is a class one of whose members holds a token.
  bool hasTokenMember(clang::QualType T) const;
  bool hasTokenMember(const clang::CXXRecordDecl *Class) const;
  /// \p S is, or asks, a token other than one that \p Body made for itself.
  bool isToken(const clang::Stmt &S, const FunctionBody &Body);
  /// All tokens that \p Await mentions are \p Body's own; there is one.
  bool onlyOwnSources(const clang::Expr &Await, const FunctionBody &Body);
  /// The tokens that may cancel what a function does.
  struct TokensUsed {
    bool Own = false; ///< members, captures, what it makes of them
    llvm::SmallVector<unsigned, 1> Parameters;
  };
  /// Null when the body of \p F is not here.
  const TokensUsed *tokensUsed(const clang::FunctionDecl &F);
  /// \p Call goes to a function of this file that may be cancelled by a token:
  /// one of its own, or one that it is given here.
  bool isCancelledInside(const clang::CallExpr &Call);

  AnalysisContext &Context;
  const SymbolRoles &Roles;
  std::map<const Library *, llvm::SmallVector<ThrownCancellation, 2>> Forms;
  std::map<const FunctionBody *, TokensUsed> UsedTokens;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_CANCELLATIONARRIVAL_H
