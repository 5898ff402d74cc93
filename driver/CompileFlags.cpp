#include "driver/CompileFlags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace async_tidy {
namespace {

/// What follows in the same argument of a flag that hands over to a later
/// stage: "-Xclang=-load" gives "-load"; nullopt for other flags.
std::optional<StringRef> handedOver(StringRef Flag) {
  for (StringRef Prefix :
       {"-Xclang=", "-mllvm=", "-Xpreprocessor=", "-Xanalyzer="})
    if (Flag.consume_front(Prefix))
      return Flag;
  return std::nullopt;
}

/// Flags whose next argument is for a later stage.
bool handsOverNext(StringRef Flag) {
  return Flag == "-Xclang" || Flag == "-mllvm" || Flag == "-Xpreprocessor" ||
         Flag == "-Xanalyzer" || Flag.starts_with("-Xarch_");
}

enum class Loads { Nothing, ByItself, WithNextArgument };

/// Whether \p Flag, at whatever stage, loads code.
Loads loads(StringRef Flag) {
  if (Flag.starts_with("--"))
    Flag = Flag.drop_front();
  // The value is in the same argument.
  for (StringRef Prefix :
       {"-fplugin=", "-fplugin-arg-",
        "-fpass-plugin=", "-load=", "-load-pass-plugin=", "-plugin=",
        "-add-plugin=", "-config=", "-config-user-dir=", "-config-system-dir="})
    if (Flag.starts_with(Prefix))
      return Loads::ByItself;
  // The value is the next argument.
  for (StringRef Name : {"-load", "-plugin", "-add-plugin", "-fplugin",
                         "-fpass-plugin", "-load-pass-plugin", "-config"})
    if (Flag == Name)
      return Loads::WithNextArgument;
  return Flag.starts_with("-plugin-arg-") ? Loads::WithNextArgument
                                          : Loads::Nothing;
}

/// -Wp,A,B hands over several flags at once.
bool commaListLoads(StringRef Flag) {
  if (!Flag.consume_front("-Wp,"))
    return false;
  SmallVector<StringRef> Parts;
  Flag.split(Parts, ',');
  return any_of(Parts,
                [](StringRef Part) { return loads(Part) != Loads::Nothing; });
}

/// GCC needs them for coroutines and concepts, clang does not know them.
bool isOnlyGcc(StringRef Flag) {
  return Flag == "-fcoroutines" || Flag == "-fmodules-ts" ||
         Flag.starts_with("-fconcepts");
}

} // namespace

std::vector<std::string> withoutCodeLoading(ArrayRef<std::string> Flags,
                                            std::vector<std::string> *Dropped) {
  std::vector<std::string> Kept;
  for (size_t I = 0; I < Flags.size();) {
    // A flag and its value may each have a -Xclang before them.
    const size_t First = I;
    while (I + 1 < Flags.size() && handsOverNext(Flags[I]))
      ++I;
    StringRef Flag = Flags[I];
    if (std::optional<StringRef> Inner = handedOver(Flag))
      Flag = *Inner;
    Loads Kind = commaListLoads(Flag) ? Loads::ByItself : loads(Flag);
    ++I;
    if (Kind == Loads::WithNextArgument && I < Flags.size()) {
      while (I + 1 < Flags.size() && handsOverNext(Flags[I]))
        ++I;
      ++I;
    }
    auto Taken = Flags.slice(First, I - First);
    if (Kind == Loads::Nothing)
      Kept.insert(Kept.end(), Taken.begin(), Taken.end());
    else if (Dropped)
      Dropped->push_back(join(Taken, " "));
  }
  return Kept;
}

std::vector<std::string> fitForLinting(ArrayRef<std::string> Command,
                                       std::vector<std::string> &Dropped) {
  std::vector<std::string> Kept = withoutCodeLoading(Command, &Dropped);
  llvm::erase_if(Kept, isOnlyGcc);
  // As CMake writes it: the PCH, then the header it was made from. The header
  // alone means the same and can be read by any compiler.
  for (size_t I = 0; I + 7 < Kept.size(); ++I) {
    ArrayRef<std::string> At = ArrayRef(Kept).slice(I, 8);
    if (At[0] == "-Xclang" && At[1] == "-include-pch" && At[2] == "-Xclang" &&
        At[4] == "-Xclang" && At[5] == "-include" && At[6] == "-Xclang") {
      Kept.erase(Kept.begin() + I, Kept.begin() + I + 4);
      break;
    }
  }
  // Before any "--", which ends the options.
  auto End = llvm::find(Kept, "--");
  std::vector<std::string> Ours = {
      // Keeps clang from printing "1 warning generated." for each file.
      "-fno-caret-diagnostics"};
  if (none_of(Kept, [](StringRef Flag) {
        return Flag.starts_with("-resource-dir") ||
               Flag.starts_with("--resource-dir");
      }))
    Ours.push_back("-resource-dir=" + resourceDirectory());
  Kept.insert(End, Ours.begin(), Ours.end());
  return Kept;
}

std::string resourceDirectory() { return ASYNC_TIDY_RESOURCE_DIR; }

} // namespace async_tidy
