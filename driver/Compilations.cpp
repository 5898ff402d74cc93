#include "driver/Compilations.h"
#include "checks/models/Json.h"
#include "driver/CompileFlags.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using namespace clang::tooling;

namespace async_tidy {
namespace {

constexpr char DatabaseName[] = "compile_commands.json";

Error error(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

/// The nearest database from \p Folder upwards, or "".
std::string findDatabase(StringRef Folder) {
  for (; !Folder.empty(); Folder = sys::path::parent_path(Folder))
    for (StringRef Sub : {"", "build"}) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Sub, DatabaseName);
      if (sys::fs::exists(Path))
        return Path.str().str();
    }
  return "";
}

Expected<std::string> databasePath(const CommandLine &Request) {
  if (!Request.BuildPath.empty()) {
    SmallString<256> Path(Request.BuildPath);
    if (sys::fs::is_directory(Path))
      sys::path::append(Path, DatabaseName);
    if (!sys::fs::exists(Path))
      return error("no " + Path);
    return Path.str().str();
  }
  SmallString<256> Start;
  if (Request.Files.empty()) {
    sys::fs::current_path(Start);
  } else {
    Start = Request.Files.front();
    sys::fs::make_absolute(Start);
    sys::path::remove_dots(Start, /*remove_dot_dot=*/true);
    sys::path::remove_filename(Start);
  }
  std::string Found = findDatabase(Start);
  if (Found.empty())
    return error(Twine("no ") + DatabaseName + " in " + Start +
                 ", its build/ or a parent; name it with -p BUILD, or give "
                 "the compiler flags after --");
  return Found;
}

/// Says with file and line what is wrong with a database that is valid JSON;
/// LLVM's own reader does not.
Error checkEntries(const JsonNode &Root, StringRef File) {
  using Kind = JsonNode::Kind;
  if (Root.K != Kind::Array)
    return modelError(File, Root.Line, "", "expected an array of commands");
  if (Root.Elements.empty())
    return modelError(File, Root.Line, "", "there is no command in it");
  for (const JsonNode &Entry : Root.Elements) {
    if (Entry.K != Kind::Object)
      return modelError(File, Entry.Line, "", "expected an object");
    for (StringRef Key : {"directory", "file"}) {
      const JsonNode *Value = Entry.member(Key);
      if (!Value)
        return modelError(File, Entry.Line, Key, "is missing");
      if (Value->K != Kind::String)
        return modelError(File, Value->Line, Key, "expected a string");
    }
    const JsonNode *Arguments = Entry.member("arguments");
    const JsonNode *Command = Entry.member("command");
    if (!Arguments && !Command)
      return modelError(File, Entry.Line, "command",
                        "is missing (so is \"arguments\")");
    if (Command && Command->K != Kind::String)
      return modelError(File, Command->Line, "command", "expected a string");
    if (Arguments &&
        (Arguments->K != Kind::Array || Arguments->Elements.empty() ||
         any_of(Arguments->Elements,
                [](const JsonNode &N) { return N.K != Kind::String; })))
      return modelError(File, Arguments->Line, "arguments",
                        "expected an array of strings");
  }
  return Error::success();
}

Expected<std::unique_ptr<CompilationDatabase>> readDatabase(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return error(File + ": " + Buffer.getError().message());
  Expected<JsonNode> Root = parseJson((*Buffer)->getBuffer(), File);
  if (!Root)
    return Root.takeError();
  if (Error Mistake = checkEntries(*Root, File))
    return std::move(Mistake);

  std::string Message;
  std::unique_ptr<CompilationDatabase> Database =
      JSONCompilationDatabase::loadFromBuffer(
          (*Buffer)->getBuffer(), Message, JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return error(File + ": " + Message);
  // As clang's own tools do: response files are read, a header or another
  // unlisted file is compiled like the listed file that is most like it, and
  // the target follows from the compiler's name.
  return inferTargetAndDriverMode(inferMissingCompileCommands(
      expandResponseFiles(std::move(Database), vfs::getRealFileSystem())));
}

bool mayBeCPlusPlus(StringRef File) {
  return !is_contained({".c", ".s", ".S", ".asm", ".m"},
                       sys::path::extension(File));
}

} // namespace

std::vector<CompileCommand>
Compilations::getCompileCommands(StringRef File) const {
  std::vector<CompileCommand> Commands = Inner->getCompileCommands(File);
  for (CompileCommand &Command : Commands) {
    std::vector<std::string> Loading;
    Command.CommandLine = fitForLinting(Command.CommandLine, Loading);
    Dropped.insert(Loading.begin(), Loading.end());
  }
  return Commands;
}

std::vector<std::string> Compilations::getAllFiles() const {
  return Inner->getAllFiles();
}

Expected<std::unique_ptr<Compilations>> loadCompilations(CommandLine &Request) {
  if (Request.FixedFlags) {
    if (!Request.BuildPath.empty())
      return error("-p and -- exclude each other");
    if (Request.Files.empty())
      return error("-- needs the files to lint before it");
    return std::make_unique<Compilations>(std::move(Request.FixedFlags));
  }
  Expected<std::string> Path = databasePath(Request);
  if (!Path)
    return Path.takeError();
  Expected<std::unique_ptr<CompilationDatabase>> Database = readDatabase(*Path);
  if (!Database)
    return Database.takeError();
  return std::make_unique<Compilations>(std::move(*Database));
}

Expected<std::vector<std::string>> filesToLint(const CommandLine &Request,
                                               const Compilations &Commands) {
  std::vector<std::string> Files = Request.Files;
  if (Files.empty()) {
    Files = Commands.getAllFiles();
    llvm::erase_if(Files, [](StringRef F) { return !mayBeCPlusPlus(F); });
  } else {
    for (const std::string &File : Files)
      if (!sys::fs::is_regular_file(File))
        return error(Twine(File) + (sys::fs::exists(File) ? ": not a file"
                                                          : ": no such file"));
  }
  std::set<std::string> Seen;
  std::vector<std::string> Result;
  for (const std::string &File : Files) {
    SmallString<256> Path(File);
    sys::fs::make_absolute(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (Seen.insert(Path.str().str()).second)
      Result.push_back(Path.str().str());
  }
  return Result;
}

} // namespace async_tidy
