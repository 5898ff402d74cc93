#include "checks/AsyncModule.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

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
  return clang::clangd::clangdMain(Argc, Argv);
}
