//===--- Workers.h - Does pieces of work in processes of their own *- C++
//-*-===//
//
// Clang can crash on a file. Each file is therefore read in a process of its
// own, several at a time; a crash costs that file and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_WORKERS_H
#define ASYNC_TIDY_DRIVER_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace async_tidy {

/// Runs \p Work for 0 … \p Count-1 in forked processes, at most \p Jobs at a
/// time, and hands what it returned to \p Done here, in the order of the
/// numbers. A process that ended otherwise gives an error that says how.
/// The caller must have no other threads.
void inProcesses(
    size_t Count, unsigned Jobs,
    llvm::function_ref<std::string(size_t Index)> Work,
    llvm::function_ref<void(size_t Index, llvm::Expected<std::string>)> Done);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_WORKERS_H
