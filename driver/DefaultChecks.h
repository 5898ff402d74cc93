//===--- DefaultChecks.h - What is on when nobody says ----------*- C++ -*-===//
//
// `Checks` of a .clang-tidy file is written with clang-tidy in mind and often
// begins with `-*`. For the programs that are there for async checks it is an
// answer only if it enables some of them; otherwise the defaults hold on top of
// it, less those that it takes away by name.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H
#define ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace async_tidy {

/// The checks that are on by default, in the form of a `Checks` value: all but
/// those that ask for a policy of the project.
inline constexpr char DefaultChecks[] = "async-*,-async-unbounded-await";

/// The globs of a `Checks` value, which may be on lines of their own.
llvm::SmallVector<llvm::StringRef> splitGlobs(llvm::StringRef Checks);

/// What to append to a `Checks` value so that the defaults hold; empty when it
/// enables async checks itself.
std::string defaultsFor(llvm::StringRef Checks);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_DEFAULTCHECKS_H
