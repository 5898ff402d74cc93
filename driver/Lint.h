//===--- Lint.h - Lints files through clang-tidy ----------------*- C++ -*-===//
//
// Runs the checks over files with clang-tidy's own machinery, so that options,
// NOLINT comments and the printed text are clang-tidy's.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_LINT_H
#define ASYNC_TIDY_DRIVER_LINT_H

#include "driver/Compilations.h"
#include "driver/Findings.h"
#include "driver/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace async_tidy {

/// A file that clang could not make sense of, or crashed on. Its findings are
/// left out: with half a syntax tree they would be guesses.
struct NotAnalysed {
  std::string File;
  std::string FirstError; ///< "FILE:LINE:COLUMN: text", or how clang crashed
};

struct LintResult {
  /// In the order of the files; the same one in several files is one.
  std::vector<Finding> Findings;
  std::vector<NotAnalysed> Broken;
};

struct LintSettings {
  unsigned Jobs = 1;     ///< files at a time
  bool PrintText = true; ///< print the findings to stdout as clang-tidy does
  bool Fix = false;      ///< apply the fixes once all files are done
};

/// Lints \p Files.
LintResult lint(const Compilations &Commands, llvm::ArrayRef<std::string> Files,
                std::unique_ptr<clang::tidy::ClangTidyOptionsProvider> Options,
                const LintSettings &Settings);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_LINT_H
