#include "checks/AsyncModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace clang::clangd {

// LLVM installs clangd's archives without its headers.
int clangdMain(int Argc, char *Argv[]);

class SymbolIndex;
struct NoSymbolIndex {
  void operator()(SymbolIndex *) const {}
};

namespace remote {
// The client of a remote index needs gRPC; without it clangd says that there is
// none and uses its own index.
std::unique_ptr<SymbolIndex, NoSymbolIndex> getClient(llvm::StringRef,
                                                      llvm::StringRef) {
  return nullptr;
}
} // namespace remote

} // namespace clang::clangd

int main(int Argc, char **Argv) {
  (void)clang::tidy::async::AsyncModuleAnchor;
  // clangd looks for the builtin headers beside itself, where they are not.
  std::string ResourceDir = "--resource-dir=" ASYNC_TIDY_RESOURCE_DIR;
  std::vector<char *> Arguments(Argv, Argv + Argc);
  auto IsResourceDir = [](llvm::StringRef Argument) {
    return Argument.ltrim('-').starts_with("resource-dir");
  };
  if (llvm::none_of(Arguments, IsResourceDir))
    Arguments.insert(Arguments.begin() + 1, ResourceDir.data());
  Arguments.push_back(nullptr);
  return clang::clangd::clangdMain(Arguments.size() - 1, Arguments.data());
}
