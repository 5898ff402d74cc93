//===--- TokenUse.h - Whether a wait needs the token ------------*- C++ -*-===//
//
// Answers the questions that decide whether a wait which does not get a token
// is a fault: does something else end it, has the cancellation already come,
// is there a twin of the function that takes the token?
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_TOKENUSE_H
#define ASYNC_TIDY_ANALYSIS_TOKENUSE_H

#include "Tokens.h"

namespace async_tidy {

/// Somewhere in \p S a token is asked (`stop_requested`, `check`).
bool asksToken(const clang::Stmt *S, const SymbolRoles &Roles);

/// The full expression around \p Call takes a token or a limit elsewhere, or
/// what waits is one side of a race.
bool isLimitedElsewhere(const FunctionBody &Body, const clang::CallExpr &Call,
                        const SymbolRoles &Roles, const Tokens &All);

/// \p At is reached when the cancellation has been noticed: under a condition
/// that asks a token, or behind a `try` whose handler keeps the error.
bool isAfterCancellation(const FunctionBody &Body, const clang::Stmt &At,
                         const SymbolRoles &Roles);

/// Another method of \p Body's class ends what waits on \p Member: cancels,
/// breaks or closes it.
bool isEndedElsewhere(const clang::ValueDecl &Member, const FunctionBody &Body,
                      AnalysisContext &Context);

/// The function called \p Name, the same as \p Callee but for one more
/// parameter at the end; null when this file declares none.
const clang::FunctionDecl *twinOf(const clang::FunctionDecl &Callee,
                                  llvm::StringRef Name);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_TOKENUSE_H
