//===--- Tokens.h - Which tokens are at hand --------------------*- C++ -*-===//
//
// Answers: which cancellation tokens can this code reach, and could this call
// have taken one?
//
// A token is whatever the models call `token` or `source` (some libraries pass
// the source itself by reference), also behind a reference or a pointer. Where
// cancellation is implicit, tokens need no passing on and none is reported.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_TOKENS_H
#define ASYNC_TIDY_ANALYSIS_TOKENS_H

#include "Coroutines.h"

namespace async_tidy {

/// A token that a piece of code can name.
struct ReachableToken {
  enum Origin { Parameter, Local, Capture, Member } From;
  const clang::ValueDecl *Decl;
  const Entry *Model; ///< its type's, of role `token` or `source`
};

/// A parameter that a call leaves out.
struct OmittedParameter {
  /// The function that has it: the callee itself, or an overload of it.
  const clang::FunctionDecl *Function;
  unsigned Index; ///< of the parameter
  /// The callee itself has it, with a default argument.
  bool ByDefault;
  /// It could be written behind the last argument that the call has.
  bool Appendable;
};

class Tokens {
public:
  explicit Tokens(AnalysisContext &Context)
      : Context(Context), Roles(Context.roles()) {}

  /// The model of the token that a \p T is, refers or points to, or wraps
  /// (`optional`, `reference_wrapper`); null for other types.
  const Entry *carriedBy(clang::QualType T) const;

  /// \p T with references, pointers and wrappers around a token taken off.
  clang::QualType unwrapped(clang::QualType T) const;

  /// Tokens that code at \p At in \p Body can name: parameters, locals declared
  /// before it, captures, and members that \p Body itself uses as tokens.
  llvm::SmallVector<ReachableToken, 2> reachable(const FunctionBody &Body,
                                                 const clang::Stmt &At) const;

  /// A token of type \p Have can be given to a parameter of type \p Wanted. The
  /// text to write for \p Name, empty when it cannot.
  std::string spelledFor(clang::QualType Wanted, clang::QualType Have,
                         llvm::StringRef Name) const;

  /// The parameter, accepted by \p Wanted, that \p Call could give an argument
  /// for but does not: one with a default, or one that an otherwise equal
  /// overload, usable from \p Caller, has.
  std::optional<OmittedParameter>
  omitted(const clang::CallExpr &Call, const clang::FunctionDecl &Caller,
          llvm::function_ref<bool(const clang::ParmVarDecl &)> Wanted) const;

private:
  AnalysisContext &Context;
  const SymbolRoles &Roles;
};

/// \p Var is a local object that is made with nothing given to it.
bool isMadeEmpty(const clang::VarDecl &Var);

/// \p F tidies up, as the models or its name say.
bool isTidyingUp(const clang::FunctionDecl &F, const SymbolRoles &Roles);

/// True for functions whose name says that they tidy up (`stop`, `close`,
/// `rollback`): they run when work has been cancelled, and must not be.
bool isNamedAsTidyingUp(const clang::FunctionDecl &F);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_TOKENS_H
