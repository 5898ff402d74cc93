//===--- Compilations.h - Finds and reads the compile commands --*- C++ -*-===//
//
// Which files there are and how each is compiled: from the flags after `--`,
// from the database that -p names, or from the nearest one:
// compile_commands.json in a folder or its build/, from the first named file
// (else the current folder) upwards. Errors name the file and, where there is
// one, the line.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_COMPILATIONS_H
#define ASYNC_TIDY_DRIVER_COMPILATIONS_H

#include "driver/CommandLine.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace async_tidy {

/// The compile commands, fit for linting (see CompileFlags.h).
class Compilations : public clang::tooling::CompilationDatabase {
public:
  explicit Compilations(
      std::unique_ptr<clang::tooling::CompilationDatabase> Inner)
      : Inner(std::move(Inner)) {}

  std::vector<clang::tooling::CompileCommand>
  getCompileCommands(llvm::StringRef File) const override;
  std::vector<std::string> getAllFiles() const override;

  /// Flags that were left out so far because they load code.
  const std::set<std::string> &droppedFlags() const { return Dropped; }

private:
  std::unique_ptr<clang::tooling::CompilationDatabase> Inner;
  mutable std::set<std::string> Dropped;
};

/// Takes Request.FixedFlags if there are any.
llvm::Expected<std::unique_ptr<Compilations>>
loadCompilations(CommandLine &Request);

/// The files to lint, with absolute paths: the named ones, else those of the
/// database that are not C or assembler.
llvm::Expected<std::vector<std::string>>
filesToLint(const CommandLine &Request, const Compilations &Commands);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_COMPILATIONS_H
