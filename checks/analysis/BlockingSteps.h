//===--- BlockingSteps.h - The steps of one body ----------------*- C++ -*-===//
//
// Finds the steps of one function for BlockingSummary.h, which says what they
// are. Nothing here looks into another function.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_BLOCKINGSTEPS_H
#define ASYNC_TIDY_ANALYSIS_BLOCKINGSTEPS_H

#include "BlockingSummary.h"

namespace async_tidy {

/// The steps of \p F in source order; of the functions it runs, those that
/// \p Follows. For constructors with their initialisers, for destructors with
/// those of members and bases.
std::vector<BlockingStep> collectBlockingSteps(
    AnalysisContext &Context, ExecutionContext &Execution,
    const BlockingPolicy &Policy, const clang::FunctionDecl &F,
    llvm::function_ref<bool(const clang::FunctionDecl &)> Follows);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_BLOCKINGSTEPS_H
