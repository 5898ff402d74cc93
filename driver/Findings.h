//===--- Findings.h - What a run found, for the reports ---------*- C++ -*-===//
//
// The findings of a run in the form that reports need: with lines and columns,
// independent of the files they were read from.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_FINDINGS_H
#define ASYNC_TIDY_DRIVER_FINDINGS_H

#include "checks/Timeline.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace async_tidy {

/// A place in a file and what is said about it. Lines and columns count from
/// 1, columns in bytes; both are 0 when the place is not known.
struct Remark {
  std::string Message;
  std::string File; ///< relative to the current folder if it lies below it
  unsigned Line = 0, Column = 0;
};

/// One replacement of a fix.
struct Edit {
  std::string File;
  unsigned Line = 0, Column = 0;
  unsigned Length = 0; ///< bytes that are replaced
  std::string Text;
};

struct Finding {
  std::string Check;
  bool IsError = false; ///< `WarningsAsErrors` says so
  Remark At;
  std::vector<Remark> Notes;
  std::vector<Edit> Fix;
  std::optional<Timeline> Sum;
};

/// Absolute, without `..`.
std::string absolutePath(const clang::tidy::ClangTidyError &Error);

/// "FILE:LINE:COLUMN: text" of an error of the compiler.
std::string describe(const clang::tidy::ClangTidyError &Error);

/// \p Error as a finding, with its timeline out of \p Timelines if it has one.
Finding makeFinding(const clang::tidy::ClangTidyError &Error,
                    llvm::ArrayRef<Timeline> Timelines);

/// Timelines as text, to hand them from one process to another, and back.
std::string timelinesToText(llvm::ArrayRef<Timeline> Timelines);
std::vector<Timeline> timelinesFromText(llvm::StringRef Text);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_FINDINGS_H
