#include "checks/AsyncModule.h"
#include "checks/Compat.h"
#include "driver/CheckDocs.h"
#include "driver/CommandLine.h"
#include "driver/Compilations.h"
#include "driver/Lint.h"
#include "driver/Options.h"
#include "driver/Reports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace async_tidy;

static ExitStatus wrongUsage(const Twine &Message) {
  WithColor::error() << Message << '\n';
  return WrongUsage;
}

static ExitStatus explain(StringRef Name) {
  const auto *Doc = find_if(checkDocs(), [&](const CheckDoc &D) {
    return D.Check == Name || D.Check == ("async-" + Name).str();
  });
  if (Doc == checkDocs().end())
    return wrongUsage("there is no check '" + Name +
                      "'; --list-checks --checks=async-* lists all");
  outs() << Doc->Text;
  return Clean;
}

static ExitStatus listChecks(clang::tidy::ClangTidyOptionsProvider &Options) {
  const std::vector<std::string> Names =
      clang::tidy::compat::checkNames(Options.getOptions("dummy.cpp"));
  if (Names.empty())
    return wrongUsage("no checks are enabled");
  outs() << "Enabled checks:";
  for (const std::string &Name : Names)
    outs() << "\n    " << Name;
  outs() << "\n\n";
  return Clean;
}

static void write(const LintResult &Result, ReportFormat Format,
                  raw_ostream &OS) {
  switch (Format) {
  case ReportFormat::Text: // printed while the run went on
    return;
  case ReportFormat::Json:
    return writeJson(Result, OS);
  case ReportFormat::Html:
    return writeHtml(Result, OS);
  }
}

/// False when \p File cannot be written.
static bool writeFile(const LintResult &Result, ReportFormat Format,
                      StringRef File) {
  Error Failed = writeToOutput(File, [&](raw_ostream &OS) {
    write(Result, Format, OS);
    return Error::success();
  });
  if (!Failed)
    return true;
  WithColor::error() << toString(std::move(Failed)) << '\n';
  return false;
}

static ExitStatus report(const LintResult &Result) {
  for (const NotAnalysed &Broken : Result.Broken)
    WithColor::error() << Broken.File
                       << " was not analysed: " << Broken.FirstError << '\n';
  if (!Result.Broken.empty())
    return NotAllAnalysed;
  return Result.Findings.empty() ? Clean : FoundSomething;
}

static ExitStatus run(CommandLine &Request) {
  if (Request.Explain)
    return explain(*Request.Explain);

  if (Request.Checks)
    if (auto Unknown = globsWithoutCheck(*Request.Checks); !Unknown.empty())
      return wrongUsage("no check of async-tidy matches '" +
                        join(Unknown, "', '") + "'");
  ConfigurationErrors Mistakes;
  auto Options = makeOptionsProvider(Request, Mistakes);
  if (!Options)
    return wrongUsage(toString(Options.takeError()));
  if (Request.ListChecks)
    return listChecks(**Options);

  auto Commands = loadCompilations(Request);
  if (!Commands)
    return wrongUsage(toString(Commands.takeError()));
  auto Files = filesToLint(Request, **Commands);
  if (!Files)
    return wrongUsage(toString(Files.takeError()));

  // Configuration is read before anything is linted: a run of an hour should
  // not end with a typing error.
  bool AnyCheck = false;
  for (const std::string &File : *Files)
    AnyCheck |=
        !clang::tidy::compat::checkNames((*Options)->getOptions(File)).empty();
  for (const std::string &Mistake : Mistakes.Messages)
    WithColor::error() << Mistake << '\n';
  if (!Mistakes.Messages.empty())
    return WrongUsage;
  if (!AnyCheck)
    return wrongUsage("no checks are enabled");

  LintSettings Settings;
  Settings.Jobs = Request.Jobs;
  Settings.PrintText = Request.Format == ReportFormat::Text;
  Settings.Fix = Request.Fix;
  LintResult Result = lint(**Commands, *Files, std::move(*Options), Settings);
  write(Result, Request.Format, outs());
  outs().flush();
  bool Written = !outs().has_error();
  if (!Written) {
    WithColor::error() << "cannot write to stdout: " << outs().error().message()
                       << '\n';
    outs().clear_error();
  }
  for (const auto &[Format, File] : Request.Outputs)
    Written &= writeFile(Result, Format, File);
  // The worker processes dropped them and took that knowledge with them.
  for (const std::string &File : *Files)
    (*Commands)->getCompileCommands(File);
  for (const std::string &Flag : (*Commands)->droppedFlags())
    WithColor::note() << "left out of the compile commands, because it loads "
                         "code: "
                      << Flag << '\n';
  ExitStatus Status = report(Result);
  return Written ? Status : WrongUsage;
}

int main(int Argc, const char **Argv) {
  InitLLVM Init(Argc, Argv);
  (void)clang::tidy::async::AsyncModuleAnchor;
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  InitializeAllAsmParsers();
  std::optional<CommandLine> Request = parseCommandLine(Argc, Argv);
  return Request ? run(*Request) : WrongUsage;
}
