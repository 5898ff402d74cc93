//===--- TimeText.h - Times and names in messages ---------------*- C++ -*-===//
//
// Words that the checks about time have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TIMETEXT_H
#define ASYNC_TIDY_TIMETEXT_H

#include "AsyncCheck.h"
#include "analysis/Durations.h"

namespace clang::tidy::async {

/// "2s", "1.5 s", "500ms" in nanoseconds; nothing for what is no duration.
std::optional<double> parseDuration(StringRef Text);

/// "1 s", or the quoted name it depends on, or \p Else.
std::string timeText(const async_tidy::Amount &A, const Expr *E,
                     StringRef Else);

/// The quoted name of what the call \p E calls.
std::string calleeText(const Expr *E);

/// \p F has one of the names in \p Names, qualified or not.
bool isNamed(const FunctionDecl &F, ArrayRef<StringRef> Names);

/// Notes where the named constants of an amount stand.
void noteOrigins(ClangTidyCheck &Check,
                 ArrayRef<async_tidy::AmountOrigin> Origins, bool ByDefault);

/// Notes what runs what between a limit and the place of a fault.
void noteChain(ClangTidyCheck &Check, ArrayRef<const FunctionDecl *> Chain);

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_TIMETEXT_H
