// What clangd decides by lists that are compiled into it and that cannot know
// our checks. LLVM installs no headers of clangd, so its functions are declared
// here; the linker's --wrap leads clangd's calls of them to the functions here.

#include "checks/Compat.h"
#include "driver/DefaultChecks.h"
#include <optional>
#include <string>

using llvm::StringRef;

namespace clang::clangd {

// With `FastCheckFilter: Strict`, its default, clangd leaves out every check
// whose speed it does not know: all of ours would silently not run. They walk
// the functions of the open file once, which is as quick as its own.
std::optional<bool> clangdIsFastTidyCheck(StringRef Check) asm(
    "__real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool> isFastTidyCheck(StringRef Check) asm(
    "__wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");

std::optional<bool> isFastTidyCheck(StringRef Check) {
  return Check.starts_with("async-") ? true : clangdIsFastTidyCheck(Check);
}

// The checks that run when no configuration says which.
compat::TidyProvider
clangdDefaultChecks() asm("__real__ZN5clang6clangd20provideDefaultChecksEv");
compat::TidyProvider
provideDefaultChecks() asm("__wrap__ZN5clang6clangd20provideDefaultChecksEv");

static void addDefaultChecks(tidy::ClangTidyOptions &Options, StringRef File) {
  static const compat::TidyProvider Upstream = clangdDefaultChecks();
  Upstream(Options, File);
  std::string Checks = Options.Checks.value_or("");
  Options.Checks = Checks + "," + async_tidy::defaultsFor(Checks);
}

compat::TidyProvider provideDefaultChecks() { return addDefaultChecks; }

} // namespace clang::clangd
