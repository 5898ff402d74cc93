#include "checks/AsyncModule.h"
#include "llvm/Support/raw_ostream.h"

int main(int Argc, const char **Argv) {
  (void)clang::tidy::async::AsyncModuleAnchor;
  llvm::outs() << "async-tidy " ASYNC_TIDY_VERSION "\n";
  return 0;
}
