#include "checks/AsyncModule.h"
#include "checks/Compat.h"
#include "driver/CheckDocs.h"
#include "driver/CommandLine.h"
#include "driver/Compilations.h"
#include "driver/Lint.h"
#include "driver/Options.h"
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

static ExitStatus report(const LintResult &Result) {
  for (const NotAnalysed &Broken : Result.Broken)
    WithColor::error() << Broken.File
                       << " was not analysed: " << Broken.FirstError << '\n';
  if (!Result.Broken.empty())
    return NotAllAnalysed;
  return Result.Findings ? FoundSomething : Clean;
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

  LintResult Result =
      lint(**Commands, *Files, std::move(*Options), Request.Jobs, Request.Fix);
  // The worker processes dropped them and took that knowledge with them.
  for (const std::string &File : *Files)
    (*Commands)->getCompileCommands(File);
  for (const std::string &Flag : (*Commands)->droppedFlags())
    WithColor::note() << "left out of the compile commands, because it loads "
                         "code: "
                      << Flag << '\n';
  return report(Result);
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
