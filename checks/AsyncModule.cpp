#include "checks/AsyncModule.h"
#include "checks/Compat.h"

namespace clang::tidy::async {
namespace {

class AsyncModule : public ClangTidyModule {
public:
  // The one list of all checks, in alphabetical order.
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    (void)Factories;
  }
};

} // namespace

static ClangTidyModuleRegistry::Add<AsyncModule>
    X("async-module", "Checks for timeouts and cancellation in coroutines.");

volatile int AsyncModuleAnchor = 0;

} // namespace clang::tidy::async
