//===--- Readiness.h - Is this future's result there already? ---*- C++ -*-===//
//
// Answers: can `f.get()` wait, or is it proven at this place that the result is
// there? Proofs are:
// - the future came out of an await that waits for it (`co_await as_future(…)`,
//   the results of an awaited `when_all`);
// - an earlier await on every way here mentions it (`co_await when_ready(f)`);
// - it was tested: `if (f.available())`, `if (f.wait_for(0s) == ready)`, an
//   early return otherwise, a loop that runs until then;
// - a limited wait for it, a fault of its own, succeeded;
// - it was made ready (`make_ready_future(…)`), or its promise was fulfilled.
//
// Also: is this duration zero, so that nothing is waited for? Is this socket or
// file in non-blocking mode?
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_READINESS_H
#define ASYNC_TIDY_ANALYSIS_READINESS_H

#include "AnalysisContext.h"
#include "Coroutines.h"

namespace async_tidy {

/// The variable or member that \p E is, or is a part of: `v` for `v[0].first`,
/// `*it` and `std::get<0>(v)`. Null when there is none.
const clang::ValueDecl *rootOf(const clang::Expr *E);

/// \p E is a duration or number that is written and is zero (or less) for sure.
/// A default argument is not.
bool isZeroDuration(const clang::Expr *E, clang::ASTContext &Ctx);

/// \p Future, an expression at \p Where in \p Body, holds its result already.
bool isProvenReady(AnalysisContext &Context, const FunctionBody &Body,
                   const clang::Expr *Future, const clang::Stmt *Where);

/// \p S mentions a `nonblocking-flag`.
bool saysNonBlocking(const SymbolRoles &Roles, const clang::Stmt &S);

/// \p Body shows that what it does with \p Object (null: anything) waits for
/// nothing: it sets a flag on it, or tests for an error such as EAGAIN that
/// only comes where nothing waits.
bool usedNonBlocking(const SymbolRoles &Roles, const FunctionBody &Body,
                     const clang::ValueDecl *Object);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_READINESS_H
