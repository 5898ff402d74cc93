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

bool speaksOfAsync(StringRef Checks) {
  return any_of(splitGlobs(Checks), [](StringRef Glob) {
    Glob.consume_front("-");
    return Glob.ltrim().starts_with("async");
  });
}

} // namespace async_tidy
