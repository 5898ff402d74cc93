//===--- Lint.h - Lints files through clang-tidy ----------------*- C++ -*-===//
//
// Runs the checks over files with clang-tidy's own machinery, so that options,
// NOLINT comments and the printed text are clang-tidy's.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_LINT_H
#define ASYNC_TIDY_DRIVER_LINT_H

#include "driver/Compilations.h"
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
  unsigned Findings = 0; ///< printed ones; the same one in several files is one
  std::vector<NotAnalysed> Broken;
};

/// Lints \p Files, \p Jobs at a time, prints the findings to stdout as
/// clang-tidy does, and with
/// \p Fix applies the fixes once all files are done.
LintResult lint(const Compilations &Commands, llvm::ArrayRef<std::string> Files,
                std::unique_ptr<clang::tidy::ClangTidyOptionsProvider> Options,
                unsigned Jobs, bool Fix);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_LINT_H
