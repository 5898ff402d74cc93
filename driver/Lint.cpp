#include "driver/Lint.h"
#include "clang-tidy/ClangTidy.h"
#include "driver/Workers.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace llvm;
using namespace clang::tidy;

namespace async_tidy {
namespace {

const ClangTidyError *firstCompilerError(ArrayRef<ClangTidyError> Errors) {
  const auto *Found = find_if(Errors, [](const ClangTidyError &Error) {
    return Error.DiagLevel == ClangTidyError::Error &&
           StringRef(Error.DiagnosticName).starts_with("clang-diagnostic-");
  });
  return Found == Errors.end() ? nullptr : Found;
}

/// Keeps what was not seen before: a header's finding appears in every file
/// that includes it.
class Unique {
public:
  std::vector<ClangTidyError> operator()(std::vector<ClangTidyError> Errors) {
    llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
      return !Seen.insert({absolutePath(Error), Error.Message.FileOffset,
                           Error.DiagnosticName, Error.Message.Message})
                  .second;
    });
    return Errors;
  }

private:
  std::set<std::tuple<std::string, unsigned, std::string, std::string>> Seen;
};

/// Findings as text, to hand them from one process to another.
std::string toYaml(StringRef File, const std::vector<ClangTidyError> &Errors) {
  clang::tooling::TranslationUnitDiagnostics Unit;
  Unit.MainSourceFile = File.str();
  Unit.Diagnostics.assign(Errors.begin(), Errors.end());
  std::string Text;
  raw_string_ostream OS(Text);
  yaml::Output Output(OS);
  Output << Unit;
  return Text;
}

std::vector<ClangTidyError> fromYaml(StringRef Text, StringRef File,
                                     ClangTidyContext &Context) {
  clang::tooling::TranslationUnitDiagnostics Unit;
  yaml::Input Input(Text);
  Input >> Unit;
  Context.setCurrentFile(File);
  std::vector<ClangTidyError> Errors;
  for (clang::tooling::Diagnostic &From : Unit.Diagnostics) {
    // The text does not hold this; it follows from the configuration.
    bool AsError = From.DiagLevel == ClangTidyError::Warning &&
                   Context.treatAsError(From.DiagnosticName);
    ClangTidyError Error(From.DiagnosticName, From.DiagLevel,
                         From.BuildDirectory, AsError);
    Error.Message = std::move(From.Message);
    Error.Notes = std::move(From.Notes);
    Errors.push_back(std::move(Error));
  }
  return Errors;
}

/// What a process hands back: the length of the first part, the findings, the
/// timelines.
std::string pack(StringRef Findings, StringRef Timelines) {
  return (Twine(Findings.size()) + "\n" + Findings + Timelines).str();
}

std::pair<StringRef, StringRef> unpack(StringRef Packed) {
  auto [Length, Rest] = Packed.split('\n');
  size_t Size = 0;
  Length.getAsInteger(10, Size);
  return {Rest.take_front(Size), Rest.drop_front(std::min(Size, Rest.size()))};
}

std::vector<ClangTidyError> lintOne(const Compilations &Commands,
                                    const std::string &File, bool Fix,
                                    ClangTidyContext &Context) {
  PrettyStackTraceFormat Place("linting %s", File.c_str());
  IntrusiveRefCntPtr<vfs::OverlayFileSystem> FileSystem(
      new vfs::OverlayFileSystem(vfs::getRealFileSystem()));
  return runClangTidy(Context, Commands, File, FileSystem, Fix);
}

} // namespace

LintResult lint(const Compilations &Commands, ArrayRef<std::string> Files,
                std::unique_ptr<ClangTidyOptionsProvider> Options,
                const LintSettings &Settings) {
  ClangTidyContext Context(std::move(Options));
  LintResult Result;
  Unique Unique;
  std::vector<ClangTidyError> ToFix;
  auto Print = [&](ArrayRef<ClangTidyError> Findings, FixBehaviour Behaviour) {
    unsigned WarningsAsErrors = 0;
    handleErrors(Findings, Context, Behaviour, WarningsAsErrors,
                 vfs::getRealFileSystem());
    outs().flush();
  };

  auto Done = [&](size_t Index, Expected<std::string> Packed) {
    const std::string &File = Files[Index];
    if (!Packed) {
      Result.Broken.push_back({File, toString(Packed.takeError())});
      return;
    }
    auto [Yaml, TimelineText] = unpack(*Packed);
    std::vector<ClangTidyError> Errors = fromYaml(Yaml, File, Context);
    if (const ClangTidyError *Broken = firstCompilerError(Errors)) {
      Result.Broken.push_back({File, describe(*Broken)});
      return;
    }
    Errors = Unique(std::move(Errors));
    std::vector<Timeline> Timelines = timelinesFromText(TimelineText);
    for (const ClangTidyError &Error : Errors)
      Result.Findings.push_back(makeFinding(Error, Timelines));
    // A fix would change the headers of files that are not yet read.
    if (Settings.Fix)
      ToFix.insert(ToFix.end(), Errors.begin(), Errors.end());
    else if (Settings.PrintText)
      Print(Errors, FB_NoFix);
  };
  inProcesses(
      Files.size(), Settings.Jobs,
      [&](size_t Index) {
        TimelineCollector Timelines;
        std::string Findings =
            toYaml(Files[Index],
                   lintOne(Commands, Files[Index], Settings.Fix, Context));
        return pack(Findings, timelinesToText(Timelines.Found));
      },
      Done);
  if (Settings.Fix)
    Print(ToFix, FB_Fix);
  return Result;
}

} // namespace async_tidy
