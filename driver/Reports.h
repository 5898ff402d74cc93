//===--- Reports.h - A run's result in several forms ------------*- C++ -*-===//
//
// Writes what a run found for programs (JSON, described in docs/output.md) and
// for people (HTML). What comes from the linted code is data in both: escaped,
// never run. The plain text is clang-tidy's and written while the run goes on.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_REPORTS_H
#define ASYNC_TIDY_DRIVER_REPORTS_H

#include "driver/Findings.h"
#include "driver/Lint.h"
#include "llvm/Support/raw_ostream.h"

namespace async_tidy {

void writeJson(const LintResult &Result, llvm::raw_ostream &OS);
void writeHtml(const LintResult &Result, llvm::raw_ostream &OS);

/// The picture of \p T: an SVG element, to scale, whose colours are the CSS
/// classes attempt, pause, step, over and budget.
std::string drawTimeline(const Timeline &T);

/// \p Text for HTML and XML, in an attribute as well. What is not UTF-8 is
/// replaced.
std::string escaped(llvm::StringRef Text);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_REPORTS_H
