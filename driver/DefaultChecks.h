//===--- DefaultChecks.h - What is on when nobody says ----------*- C++ -*-===//
//
// `Checks` of a .clang-tidy file is written with clang-tidy in mind and often
// begins with `-*`. For the programs that are there for async checks it is an
// answer only if it speaks of them; otherwise the defaults hold on top of it.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H
#define ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace async_tidy {

/// The checks that are on by default, in the form of a `Checks` value.
inline constexpr char DefaultChecks[] = "async-*";

/// The globs of a `Checks` value, which may be on lines of their own.
llvm::SmallVector<llvm::StringRef> splitGlobs(llvm::StringRef Checks);

/// Whether a `Checks` value has a glob, positive or negative, that names async
/// checks.
bool speaksOfAsync(llvm::StringRef Checks);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H
