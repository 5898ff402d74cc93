#include "driver/Findings.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <nlohmann/json.hpp>

using namespace llvm;
using clang::tidy::ClangTidyError;
using nlohmann::json;

namespace async_tidy {
namespace {

std::string absolute(StringRef Path, StringRef Folder) {
  SmallString<256> Full(Path);
  if (!Full.empty() && sys::path::is_relative(Full)) {
    Full = Folder;
    sys::path::append(Full, Path);
  }
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

std::string relativeToHere(std::string Path) {
  SmallString<256> Here;
  if (sys::fs::current_path(Here))
    return Path;
  StringRef Rest = Path;
  if (!Rest.consume_front(Here) || !Rest.consume_front("/") || Rest.empty())
    return Path;
  return Rest.str();
}

struct Position {
  unsigned Line = 0, Column = 0;
};

Position positionOf(StringRef Path, unsigned Offset) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (Path.empty() || !Buffer)
    return {};
  StringRef Before = (*Buffer)->getBuffer().take_front(Offset);
  return {unsigned(Before.count('\n') + 1),
          unsigned(Before.size() - (Before.rfind('\n') + 1) + 1)};
}

Remark makeRemark(const clang::tooling::DiagnosticMessage &Message,
                  StringRef Folder) {
  std::string Path = absolute(Message.FilePath, Folder);
  Position At = positionOf(Path, Message.FileOffset);
  return {Message.Message, relativeToHere(Path), At.Line, At.Column};
}

} // namespace

std::string absolutePath(const ClangTidyError &Error) {
  return absolute(Error.Message.FilePath, Error.BuildDirectory);
}

std::string describe(const ClangTidyError &Error) {
  std::string Path = absolutePath(Error);
  Position At = positionOf(Path, Error.Message.FileOffset);
  if (!At.Line)
    return Error.Message.Message;
  return (Path + ":" + Twine(At.Line) + ":" + Twine(At.Column) + ": " +
          Error.Message.Message)
      .str();
}

Finding makeFinding(const ClangTidyError &Error, ArrayRef<Timeline> Timelines) {
  Finding Result;
  Result.Check = Error.DiagnosticName;
  Result.IsError =
      Error.DiagLevel == ClangTidyError::Error || Error.IsWarningAsError;
  Result.At = makeRemark(Error.Message, Error.BuildDirectory);
  for (const clang::tooling::DiagnosticMessage &Note : Error.Notes)
    Result.Notes.push_back(makeRemark(Note, Error.BuildDirectory));
  for (const auto &OfFile : Error.Message.Fix)
    for (const clang::tooling::Replacement &R : OfFile.second) {
      std::string Path = absolute(R.getFilePath(), Error.BuildDirectory);
      Position At = positionOf(Path, R.getOffset());
      Result.Fix.push_back({relativeToHere(Path), At.Line, At.Column,
                            R.getLength(), R.getReplacementText().str()});
    }
  std::string Path = absolutePath(Error);
  for (const Timeline &T : Timelines)
    if (T.Check == Result.Check && T.Offset == Error.Message.FileOffset &&
        absolute(T.File, Error.BuildDirectory) == Path) {
      Result.Sum = T;
      for (TimeSegment &S : Result.Sum->Segments)
        S.File = relativeToHere(absolute(S.File, Error.BuildDirectory));
    }
  return Result;
}

std::string timelinesToText(ArrayRef<Timeline> Timelines) {
  json All = json::array();
  for (const Timeline &T : Timelines) {
    json Segments = json::array();
    for (const TimeSegment &S : T.Segments)
      Segments.push_back({int(S.What), S.Name, S.Nanoseconds, S.File, S.Line});
    All.push_back({T.Check, T.File, T.Offset, Segments,
                   T.Budget ? json(*T.Budget) : json()});
  }
  // A path need not be UTF-8.
  return All.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::vector<Timeline> timelinesFromText(StringRef Text) {
  std::vector<Timeline> Result;
  json All = json::parse(Text.begin(), Text.end(), nullptr,
                         /*allow_exceptions=*/false);
  if (!All.is_array())
    return Result;
  for (const json &One : All) {
    Timeline T{One[0], One[1], One[2], {}, std::nullopt};
    for (const json &S : One[3])
      T.Segments.push_back(
          {TimeSegment::Kind(int(S[0])), S[1], S[2], S[3], S[4]});
    if (!One[4].is_null())
      T.Budget = double(One[4]);
    Result.push_back(std::move(T));
  }
  return Result;
}

} // namespace async_tidy
