//===--- CommandLine.h - What the user asks async-tidy for ------*- C++ -*-===//
//
// The options of the async-tidy command, spelled as in clang-tidy where
// clang-tidy has them.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DRIVER_COMMANDLINE_H
#define ASYNC_TIDY_DRIVER_COMMANDLINE_H

#include "clang/Tooling/CompilationDatabase.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace async_tidy {

/// Forms in which a run's result can be written.
enum class ReportFormat { Text, Json, Html };

struct CommandLine {
  /// Named files; empty: all files of the compilation database.
  std::vector<std::string> Files;
  /// -p: folder of the compilation database, or its file; empty: look for it.
  std::string BuildPath;
  /// The flags after `--`, if there was one: used for every file.
  std::unique_ptr<clang::tooling::CompilationDatabase> FixedFlags;

  std::optional<std::string> Checks;
  std::optional<std::string> Config; ///< text in place of .clang-tidy files
  std::optional<std::string> HeaderFilter;
  bool SystemHeaders = false;
  bool Fix = false;
  ReportFormat Format = ReportFormat::Text; ///< of what goes to stdout
  /// Reports to write into files besides.
  std::vector<std::pair<ReportFormat, std::string>> Outputs;
  unsigned Jobs = 1; ///< files that are read at the same time

  // In place of linting.
  bool ListChecks = false;
  std::optional<std::string> Explain; ///< name of a check
};

/// Exit status of the command.
enum ExitStatus {
  Clean = 0,
  FoundSomething = 1,
  WrongUsage = 2,     ///< also: a configuration or database that cannot be read
  NotAllAnalysed = 3, ///< wins over FoundSomething
};

/// Reads the command line. Prints what is wrong with it and returns nothing if
/// something is; --help and --version print and end the program.
std::optional<CommandLine> parseCommandLine(int Argc, const char **Argv);

} // namespace async_tidy

#endif // ASYNC_TIDY_DRIVER_COMMANDLINE_H
