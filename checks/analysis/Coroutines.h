//===--- Coroutines.h - Bodies, suspensions and who calls whom --*- C++ -*-===//
//
// Answers: is this function a coroutine, of which library? Where does it
// suspend? What encloses this statement? Who in this file calls, awaits or
// spawns this function?
//
// All walks are "as written": of a `co_await` only the operand is visited, not
// the promise's `await_transform` and the awaiter's calls that the compiler
// adds around it, and a lambda's body belongs to the lambda.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_COROUTINES_H
#define ASYNC_TIDY_ANALYSIS_COROUTINES_H

#include "AnalysisContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include <vector>

namespace async_tidy {

/// The children of \p S as written, in source order; a lambda has none but its
/// captures' initialisers, a `co_await` only its operand.
llvm::SmallVector<const clang::Stmt *, 4> writtenChildren(const clang::Stmt &S);

/// Calls \p Visit for \p S and everything written below it, parents first.
/// \p Visit returns false to leave out a statement's children.
void walkWritten(const clang::Stmt *S,
                 llvm::function_ref<bool(const clang::Stmt &)> Visit);

/// True for what the user wrote as `co_await` or `co_yield` (also in a
/// range-for over an asynchronous generator), false for the implicit initial
/// and final suspensions.
bool isSuspension(const clang::Stmt &S);

/// The operand of a suspension as written, else null.
const clang::Expr *suspensionOperand(const clang::Stmt &S);

/// Suspensions at or below \p S, in source order.
llvm::SmallVector<const clang::Expr *, 8> suspensionsIn(const clang::Stmt *S);

/// The first expression at or below \p S, as written, that has one of the roles
/// \p Wanted; null when none has.
const clang::Expr *findWritten(const clang::Stmt *S, const SymbolRoles &Roles,
                               llvm::ArrayRef<Role> Wanted);

/// \p S assigns \p Work to a member of this object: itself, with continuations,
/// or given to what calls it at once. So are fibers kept that somebody joins
/// when the object is stopped.
bool isKeptFiber(const clang::Stmt &S, const clang::Expr &Work,
                 const SymbolRoles &Roles);

/// What decides whether \p Loop has another turn; null for a range-for, for an
/// empty condition, and for what is no loop.
const clang::Expr *loopCondition(const clang::Stmt &Loop);

/// A function body with the way from each statement to what encloses it.
class FunctionBody {
public:
  explicit FunctionBody(const clang::FunctionDecl &Definition);

  const clang::FunctionDecl &function() const { return Function; }
  /// What the user wrote: for a coroutine the inner body, else the body. For a
  /// function-try-block this is the CXXTryStmt or a compound holding just it.
  const clang::Stmt *body() const { return Body; }
  bool isCoroutine() const { return Coroutine != nullptr; }
  const clang::CoroutineBodyStmt *coroutineBody() const { return Coroutine; }
  /// All statements of the body, parents first.
  llvm::ArrayRef<const clang::Stmt *> statements() const { return Statements; }
  const clang::Stmt *parent(const clang::Stmt *S) const;
  /// False for what the compiler adds, such as the calls around a `co_await`.
  bool isWritten(const clang::Stmt *S) const { return Parents.contains(S); }
  /// True when \p Ancestor is \p S or encloses it within this body.
  bool contains(const clang::Stmt *Ancestor, const clang::Stmt *S) const;
  /// The nearest enclosing statement of class \p T, from \p S's parent on.
  template <class T> const T *enclosing(const clang::Stmt *S) const {
    for (S = parent(S); S; S = parent(S))
      if (const auto *Found = llvm::dyn_cast<T>(S))
        return Found;
    return nullptr;
  }
  /// The outermost expression that \p S is a part of, \p S itself if of none.
  const clang::Stmt *fullExpression(const clang::Stmt *S) const;
  /// The nearest enclosing loop (for, while, do, range-for), or null.
  const clang::Stmt *enclosingLoop(const clang::Stmt *S) const;
  /// The suspensions of this body, in source order.
  llvm::ArrayRef<const clang::Expr *> suspensions() const {
    return Suspensions;
  }

private:
  const clang::FunctionDecl &Function;
  const clang::Stmt *Body = nullptr;
  const clang::CoroutineBodyStmt *Coroutine = nullptr;
  std::vector<const clang::Stmt *> Statements;
  std::vector<const clang::Expr *> Suspensions;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;
};

/// One place in this file that mentions a function.
struct FunctionUse {
  enum Kind {
    Called,   ///< called, result used in some other way
    Awaited,  ///< called and the result awaited in the same expression
    Spawned,  ///< started as work that nobody awaits
    Returned, ///< called and the result returned to the caller
    Named,    ///< its address is taken or it is passed on
  } How;
  const clang::Expr *Where;                ///< the call or reference
  const clang::FunctionDecl *In = nullptr; ///< the enclosing function, if any
};

/// The functions of a translation unit.
class Coroutines {
public:
  explicit Coroutines(AnalysisContext &Context);

  /// The body of \p F's definition, null when there is none or it is a template
  /// pattern (its instantiations are looked at instead).
  const FunctionBody *body(const clang::FunctionDecl *F);

  bool isCoroutine(const clang::FunctionDecl *F);

  /// Library of the coroutine \p F (by its return type), null when unknown.
  const Library *library(const clang::FunctionDecl &F) const;

  /// The value type a task of \p F yields is `void`, or it is detached.
  bool yieldsNothing(const clang::FunctionDecl &F) const;

  /// Where this file uses \p F. Template instances count for their pattern.
  llvm::ArrayRef<FunctionUse> uses(const clang::FunctionDecl &F);

  /// True when \p F is the root of detached work as far as this file shows: its
  /// task type is detached, or it is spawned here and awaited nowhere here.
  bool isDetachedRoot(const clang::FunctionDecl &F);

  /// The lambda whose call operator \p CallOperator is, null for others.
  const clang::LambdaExpr *lambda(const clang::FunctionDecl &CallOperator);

  /// The function whose body the lambda \p CallOperator is written in, or null.
  static const clang::FunctionDecl *
  enclosingFunction(const clang::FunctionDecl &CallOperator);

private:
  struct UseIndex;
  UseIndex &index();

  AnalysisContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionBody>>
      Bodies;
  std::shared_ptr<UseIndex> Index;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_COROUTINES_H
