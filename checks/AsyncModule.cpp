#include "checks/AsyncModule.h"
#include "checks/BlockingCallInCoroutineCheck.h"
#include "checks/CancellationTypeMismatchCheck.h"
#include "checks/Compat.h"
#include "checks/ConvertedCancellationCheck.h"
#include "checks/DroppedCancellationRegistrationCheck.h"
#include "checks/DroppedCancellationTokenCheck.h"
#include "checks/DroppedDeadlineCheck.h"
#include "checks/IgnoredCancellationResultCheck.h"
#include "checks/LockAcrossAwaitCheck.h"
#include "checks/LostCancellationSourceCheck.h"
#include "checks/RetriedCancellationCheck.h"
#include "checks/ReusedAwaitableCheck.h"
#include "checks/ShieldedAwaitUnderTimeoutCheck.h"
#include "checks/SwallowedCancellationCheck.h"
#include "checks/TimeoutConfusedWithCancellationCheck.h"
#include "checks/TimeoutExceedsBudgetCheck.h"
#include "checks/UnboundedAwaitCheck.h"
#include "checks/UnboundedRetryCheck.h"
#include "checks/UnbudgetedRetryCheck.h"
#include "checks/UncancellableLoopCheck.h"
#include "checks/UncancellableWorkUnderTimeoutCheck.h"
#include "checks/UnguardedReleaseCheck.h"
#include "checks/UnshieldedCleanupCheck.h"
#include "checks/WrongCancellationTokenCheck.h"

namespace clang::tidy::async {
namespace {

class AsyncModule : public ClangTidyModule {
public:
  // The one list of all checks, in alphabetical order.
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    Factories.registerCheck<BlockingCallInCoroutineCheck>(
        "async-blocking-call-in-coroutine");
    Factories.registerCheck<CancellationTypeMismatchCheck>(
        "async-cancellation-type-mismatch");
    Factories.registerCheck<ConvertedCancellationCheck>(
        "async-converted-cancellation");
    Factories.registerCheck<DroppedCancellationRegistrationCheck>(
        "async-dropped-cancellation-registration");
    Factories.registerCheck<DroppedCancellationTokenCheck>(
        "async-dropped-cancellation-token");
    Factories.registerCheck<DroppedDeadlineCheck>("async-dropped-deadline");
    Factories.registerCheck<IgnoredCancellationResultCheck>(
        "async-ignored-cancellation-result");
    Factories.registerCheck<LockAcrossAwaitCheck>("async-lock-across-await");
    Factories.registerCheck<LostCancellationSourceCheck>(
        "async-lost-cancellation-source");
    Factories.registerCheck<RetriedCancellationCheck>(
        "async-retried-cancellation");
    Factories.registerCheck<ReusedAwaitableCheck>("async-reused-awaitable");
    Factories.registerCheck<ShieldedAwaitUnderTimeoutCheck>(
        "async-shielded-await-under-timeout");
    Factories.registerCheck<SwallowedCancellationCheck>(
        "async-swallowed-cancellation");
    Factories.registerCheck<TimeoutConfusedWithCancellationCheck>(
        "async-timeout-confused-with-cancellation");
    Factories.registerCheck<TimeoutExceedsBudgetCheck>(
        "async-timeout-exceeds-budget");
    Factories.registerCheck<UnboundedAwaitCheck>("async-unbounded-await");
    Factories.registerCheck<UnboundedRetryCheck>("async-unbounded-retry");
    Factories.registerCheck<UnbudgetedRetryCheck>("async-unbudgeted-retry");
    Factories.registerCheck<UncancellableLoopCheck>("async-uncancellable-loop");
    Factories.registerCheck<UncancellableWorkUnderTimeoutCheck>(
        "async-uncancellable-work-under-timeout");
    Factories.registerCheck<UnguardedReleaseCheck>("async-unguarded-release");
    Factories.registerCheck<UnshieldedCleanupCheck>("async-unshielded-cleanup");
    Factories.registerCheck<WrongCancellationTokenCheck>(
        "async-wrong-cancellation-token");
  }
};

} // namespace

static ClangTidyModuleRegistry::Add<AsyncModule>
    X("async-module", "Checks for timeouts and cancellation in coroutines.");

volatile int AsyncModuleAnchor = 0;

} // namespace clang::tidy::async
