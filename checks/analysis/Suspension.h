//===--- Suspension.h - Does this await ever suspend? -----------*- C++ -*-===//
//
// Answers: is it sure that the coroutine goes on at once, on the same thread,
// with nothing in between? So it is with `std::suspend_never` and what the
// models call `immediate`, an awaiter whose `await_ready` is always true or
// whose `await_suspend` always false, a future whose result is there already,
// and a coroutine of this file that itself only awaits such things.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_SUSPENSION_H
#define ASYNC_TIDY_ANALYSIS_SUSPENSION_H

#include "Coroutines.h"

namespace async_tidy {

/// What \p F returns if it always returns the same bool.
std::optional<bool> constantResult(const clang::FunctionDecl *F,
                                   const clang::ASTContext &Ctx);

/// \p Class has an `await_ready` that is always true.
bool isAlwaysReady(const clang::CXXRecordDecl *Class,
                   const clang::ASTContext &Ctx);

/// The `co_await` \p Await of \p Body never suspends.
bool neverSuspends(AnalysisContext &Context, const FunctionBody &Body,
                   const clang::Expr &Await);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_SUSPENSION_H
