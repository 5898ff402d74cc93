//===--- Compat.h - What differs between LLVM majors ------------*- C++ -*-===//
//
// The only place that asks for the LLVM version: everything that LLVM 19 and
// LLVM 22 spell differently gets one name here. A shim is removed together
// with the last major that needs it; the static_assert at its end reminds of
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_COMPAT_H
#define ASYNC_TIDY_COMPAT_H

#include "clang/Basic/Version.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Config/llvm-config.h"

#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyModule.h"
#if CLANG_VERSION_MAJOR < 22
// Later majors declare the registry in ClangTidyModule.h and warn about this.
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif

static_assert(CLANG_VERSION_MAJOR >= 19, "LLVM 19 is the oldest supported");
static_assert(CLANG_VERSION_MAJOR == LLVM_VERSION_MAJOR,
              "clang and LLVM must be of one installation");

namespace clang::tidy::compat {

/// The checks that \p Options enable, sorted by name.
inline std::vector<std::string> checkNames(const ClangTidyOptions &Options) {
#if CLANG_VERSION_MAJOR >= 22
  return getCheckNames(Options, /*AllowEnablingAnalyzerAlphaCheckers=*/false,
                       /*ExperimentalCustomChecks=*/false);
#else
  return getCheckNames(Options, /*AllowEnablingAnalyzerAlphaCheckers=*/false);
#endif
}

} // namespace clang::tidy::compat

namespace clang::clangd::compat {

/// clangd's TidyProvider, whose header LLVM does not install, as a function
/// returns it: it completes the options for a file.
#if CLANG_VERSION_MAJOR >= 22
using TidyProvider = llvm::unique_function<void(tidy::ClangTidyOptions &,
                                                llvm::StringRef) const>;
#else
using TidyProvider =
    llvm::function_ref<void(tidy::ClangTidyOptions &, llvm::StringRef)>;
#endif

} // namespace clang::clangd::compat

#endif // ASYNC_TIDY_COMPAT_H
