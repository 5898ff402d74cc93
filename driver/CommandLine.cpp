#include "driver/CommandLine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <thread>

using namespace llvm;

namespace async_tidy {
namespace {

constexpr char Overview[] =
    "async-tidy: finds misuse of timeouts and cancellation in coroutines\n\n"
    "  async-tidy                      lint all files of the project: the\n"
    "                                  compile_commands.json of this folder,\n"
    "                                  its build/ or a parent says which\n"
    "  async-tidy -p out a.cpp b.cpp   lint two files as out/ compiles them\n"
    "  async-tidy a.cpp -- -std=c++20  lint a file with these flags\n\n"
    "Configuration: .clang-tidy files, as in clang-tidy.\n"
    "Exit status: 0 clean, 1 findings, 2 wrong usage or configuration,\n"
    "3 some files could not be analysed.\n";

} // namespace

std::optional<CommandLine> parseCommandLine(int Argc, const char **Argv) {
  CommandLine Result;
  std::string Error;
  // Takes what follows `--` away from Argv.
  Result.FixedFlags =
      clang::tooling::FixedCompilationDatabase::loadFromCommandLine(Argc, Argv,
                                                                    Error);
  if (!Error.empty()) {
    WithColor::error() << StringRef(Error).trim() << '\n';
    return std::nullopt;
  }

  cl::OptionCategory Category("async-tidy options");
  cl::list<std::string> Files(cl::Positional, cl::desc("[FILES] [-- FLAGS]"),
                              cl::cat(Category));
  cl::opt<std::string> BuildPath(
      "p", cl::desc("Folder of compile_commands.json, or its path"),
      cl::value_desc("build"), cl::cat(Category));
  cl::opt<std::string> Checks(
      "checks",
      cl::desc("Comma list of globs, '-' before a glob takes checks away; "
               "added to what .clang-tidy says, as in clang-tidy. To run one "
               "check alone: --checks=-*,async-unbudgeted-retry"),
      cl::value_desc("globs"), cl::cat(Category));
  cl::opt<std::string> Config(
      "config", cl::desc("Configuration (YAML) in place of .clang-tidy files"),
      cl::value_desc("yaml"), cl::cat(Category));
  cl::opt<std::string> HeaderFilter(
      "header-filter",
      cl::desc("Report in headers whose path matches; all by default"),
      cl::value_desc("regex"), cl::cat(Category));
  cl::opt<bool> SystemHeaders("system-headers",
                              cl::desc("Report in system headers, too"),
                              cl::cat(Category));
  cl::opt<bool> Fix("fix", cl::desc("Apply the suggested fixes"),
                    cl::cat(Category));
  cl::opt<ReportFormat> Format(
      "format", cl::desc("What to write to stdout"),
      cl::values(clEnumValN(ReportFormat::Text, "text", "as clang-tidy does"),
                 clEnumValN(ReportFormat::Json, "json", "see docs/output.md"),
                 clEnumValN(ReportFormat::Html, "html",
                            "a page with excerpts and timelines")),
      cl::cat(Category));
  cl::list<std::string> Outputs(
      "output",
      cl::desc("Write a report into a file besides, e.g. json=findings.json; "
               "may be repeated"),
      cl::value_desc("json|html=file"), cl::cat(Category));
  cl::opt<unsigned> Jobs(
      "j", cl::desc("Files to read at the same time; all cores by default"),
      cl::value_desc("n"), cl::Prefix, cl::cat(Category),
      cl::init(std::max(1U, std::thread::hardware_concurrency())));
  cl::opt<bool> ListChecks("list-checks", cl::desc("List the enabled checks"),
                           cl::cat(Category));
  cl::opt<std::string> Explain("explain",
                               cl::desc("Print the documentation of a check"),
                               cl::value_desc("check"), cl::cat(Category));

  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "async-tidy " ASYNC_TIDY_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
  });
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &errs()))
    return std::nullopt;

  auto IfGiven = [](const cl::opt<std::string> &Option) {
    return Option.getNumOccurrences() ? std::optional(Option.getValue())
                                      : std::nullopt;
  };
  Result.Files.assign(Files.begin(), Files.end());
  Result.BuildPath = BuildPath;
  Result.Checks = IfGiven(Checks);
  Result.Config = IfGiven(Config);
  Result.HeaderFilter = IfGiven(HeaderFilter);
  Result.SystemHeaders = SystemHeaders;
  Result.Fix = Fix;
  Result.Format = Format;
  for (StringRef Output : Outputs) {
    auto [Form, File] = Output.split('=');
    auto Known = StringSwitch<std::optional<ReportFormat>>(Form)
                     .Case("json", ReportFormat::Json)
                     .Case("html", ReportFormat::Html)
                     .Default(std::nullopt);
    if (!Known || File.empty()) {
      WithColor::error() << "--output=" << Output
                         << ": expected json=FILE or html=FILE\n";
      return std::nullopt;
    }
    Result.Outputs.emplace_back(*Known, File.str());
  }
  if (Result.Format != ReportFormat::Text && Fix) {
    WithColor::error() << "--fix prints what it does and goes with "
                          "--format=text only; write reports with --output\n";
    return std::nullopt;
  }
  Result.Jobs = Jobs;
  Result.ListChecks = ListChecks;
  Result.Explain = IfGiven(Explain);
  return Result;
}

} // namespace async_tidy
