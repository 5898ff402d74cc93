//===--- Callables.h - What calling an expression runs ----------*- C++ -*-===//
//
// Answers: which function runs when this argument, variable or function object
// is called? It looks through `&f`, the conversion of a lambda to a pointer,
// std::function and variables.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_CALLABLES_H
#define ASYNC_TIDY_ANALYSIS_CALLABLES_H

#include "clang/AST/ExprCXX.h"

namespace async_tidy {

/// The function that calling \p Callable runs: a lambda's call operator, a
/// named function, a function object's `operator()`. Null when unknown.
const clang::FunctionDecl *calledBy(const clang::Expr &Callable);

/// The function that \p E, a call, names; null for calls through pointers, for
/// other expressions and for null.
const clang::FunctionDecl *directCallee(const clang::Expr *E);

/// The lambda expression that \p Callable is or is made from, else null.
const clang::LambdaExpr *writtenLambda(const clang::Expr &Callable);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_CALLABLES_H
