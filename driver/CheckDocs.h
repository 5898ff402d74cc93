//===--- CheckDocs.h - The documentation compiled in ------------*- C++ -*-===//
//
// The texts of docs/checks/*.md, put into the binary by the build.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_CHECKDOCS_H
#define ASYNC_TIDY_DRIVER_CHECKDOCS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace async_tidy {

struct CheckDoc {
  llvm::StringRef Check; ///< its name, e.g. "async-unbudgeted-retry"
  llvm::StringRef Text;  ///< Markdown
};

/// All pages, in the order of their names.
llvm::ArrayRef<CheckDoc> checkDocs();

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_CHECKDOCS_H
