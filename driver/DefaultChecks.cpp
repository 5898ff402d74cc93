#include "driver/DefaultChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace async_tidy {

SmallVector<StringRef> splitGlobs(StringRef Checks) {
  SmallVector<StringRef> Globs;
  SplitString(Checks, Globs, ",\n");
  for (StringRef &Glob : Globs)
    Glob = Glob.trim();
  llvm::erase_if(Globs, [](StringRef Glob) { return Glob.empty(); });
  return Globs;
}

std::string defaultsFor(StringRef Checks) {
  std::string Defaults = DefaultChecks;
  for (StringRef Glob : splitGlobs(Checks)) {
    bool TakesAway = Glob.consume_front("-");
    Glob = Glob.ltrim();
    if (!Glob.starts_with("async"))
      continue;
    if (!TakesAway)
      return "";
    Defaults += (",-" + Glob).str();
  }
  return Defaults;
}

} // namespace async_tidy
