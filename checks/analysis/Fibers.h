//===--- Fibers.h - Work that goes on until it is stopped -------*- C++ -*-===//
//
// Answers: has this code another end than being stopped? A fiber that serves
// for ever yields nothing, so nobody can take its end for success: to end
// quietly is its answer to a cancellation.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_FIBERS_H
#define ASYNC_TIDY_ANALYSIS_FIBERS_H

#include "Coroutines.h"

namespace async_tidy {

/// From within \p Try, \p Body comes to its end only through a handler, by an
/// exception, or where a token says that it shall stop.
bool endsOnlyWhenStopped(const FunctionBody &Body, const clang::CXXTryStmt &Try,
                         AnalysisContext &Context);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_FIBERS_H
