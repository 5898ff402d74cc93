#include "driver/Lint.h"
#include "clang-tidy/ClangTidy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <tuple>

using namespace llvm;
using namespace clang::tidy;

namespace async_tidy {
namespace {

std::string absolutePath(const ClangTidyError &Error) {
  SmallString<256> Path(Error.Message.FilePath);
  if (!Path.empty() && sys::path::is_relative(Path)) {
    Path = Error.BuildDirectory;
    sys::path::append(Path, Error.Message.FilePath);
  }
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// "FILE:LINE:COLUMN: text" of an error of the compiler.
std::string describe(const ClangTidyError &Error) {
  std::string Path = absolutePath(Error);
  auto Buffer = MemoryBuffer::getFile(Path);
  if (Path.empty() || !Buffer)
    return Error.Message.Message;
  StringRef Before =
      (*Buffer)->getBuffer().take_front(Error.Message.FileOffset);
  size_t Line = Before.count('\n') + 1;
  size_t Column = Before.size() - (Before.rfind('\n') + 1) + 1;
  return (Path + ":" + Twine(Line) + ":" + Twine(Column) + ": " +
          Error.Message.Message)
      .str();
}

const ClangTidyError *firstCompilerError(ArrayRef<ClangTidyError> Errors) {
  auto Found = find_if(Errors, [](const ClangTidyError &Error) {
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

} // namespace

LintResult lint(const Compilations &Commands, ArrayRef<std::string> Files,
                std::unique_ptr<ClangTidyOptionsProvider> Options, bool Fix) {
  ClangTidyContext Context(std::move(Options));
  LintResult Result;
  Unique Unique;
  std::vector<ClangTidyError> ToFix;
  auto Print = [&](ArrayRef<ClangTidyError> Findings, FixBehaviour Behaviour) {
    unsigned WarningsAsErrors = 0;
    handleErrors(Findings, Context, Behaviour, WarningsAsErrors,
                 vfs::getRealFileSystem());
  };

  for (const std::string &File : Files) {
    PrettyStackTraceFormat Place("linting %s", File.c_str());
    IntrusiveRefCntPtr<vfs::OverlayFileSystem> FileSystem(
        new vfs::OverlayFileSystem(vfs::getRealFileSystem()));
    std::vector<ClangTidyError> Errors =
        runClangTidy(Context, Commands, File, FileSystem, Fix);
    if (const ClangTidyError *Broken = firstCompilerError(Errors)) {
      Result.Broken.push_back({File, describe(*Broken)});
      continue;
    }
    Errors = Unique(std::move(Errors));
    Result.Findings += Errors.size();
    // A fix would change the headers of files that are not yet read.
    if (Fix)
      ToFix.insert(ToFix.end(), Errors.begin(), Errors.end());
    else
      Print(Errors, FB_NoFix);
  }
  if (Fix)
    Print(ToFix, FB_Fix);
  return Result;
}

} // namespace async_tidy
