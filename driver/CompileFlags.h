//===--- CompileFlags.h - Compile commands made fit for linting -*- C++ -*-===//
//
// A compile command is written for the compiler of the build. Before it is
// used for linting
//
// - flags that load code into the compiler are dropped: a repository under
//   review must not run code in its reviewer's CI;
// - flags that only GCC has, and precompiled headers that only the build's own
//   compiler can read, are dropped;
// - the installed clang's resource directory is named.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_COMPILEFLAGS_H
#define ASYNC_TIDY_DRIVER_COMPILEFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace async_tidy {

/// \p Flags without those that load code: -fplugin, -fpass-plugin, -load,
/// -plugin and their like, also when passed on by -Xclang, -Wp, -mllvm and
/// others, and --config, whose file may hold any of them. The dropped ones are
/// added to \p Dropped, if given, each with its value.
std::vector<std::string>
withoutCodeLoading(llvm::ArrayRef<std::string> Flags,
                   std::vector<std::string> *Dropped = nullptr);

/// A whole compile command, the compiler first, made fit.
std::vector<std::string> fitForLinting(llvm::ArrayRef<std::string> Command,
                                       std::vector<std::string> &Dropped);

/// The installed clang's directory of builtin headers.
std::string resourceDirectory();

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_COMPILEFLAGS_H
