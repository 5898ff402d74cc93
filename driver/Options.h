//===--- Options.h - Which checks and options hold for a file ---*- C++ -*-===//
//
// Answers what clang-tidy answers with the same .clang-tidy files, with three
// differences that make sense for a command that has async checks only:
//
// - Unless a .clang-tidy file enables async checks itself, the default ones are
//   on, even below `Checks: '-*,bugprone-*'`.
// - Findings in all headers but system headers are reported by default.
// - A file that cannot be read is an error, and `ExtraArgs` cannot load code.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_OPTIONS_H
#define ASYNC_TIDY_DRIVER_OPTIONS_H

#include "clang-tidy/ClangTidyOptions.h"
#include "driver/CommandLine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace async_tidy {

/// Mistakes that were found in configuration, each "FILE:LINE:COLUMN: text".
/// Shared by the providers, each mistake is kept once.
struct ConfigurationErrors {
  std::vector<std::string> Messages;
  void add(std::string Message);
};

/// The options provider for a run. \p Errors must outlive it. An error means
/// that the command line's own configuration is wrong.
llvm::Expected<std::unique_ptr<clang::tidy::ClangTidyOptionsProvider>>
makeOptionsProvider(const CommandLine &Request, ConfigurationErrors &Errors);

/// Names of all checks, sorted.
std::vector<std::string> allChecks();

/// The positive globs of \p Checks that match no check.
std::vector<std::string> globsWithoutCheck(llvm::StringRef Checks);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_OPTIONS_H
