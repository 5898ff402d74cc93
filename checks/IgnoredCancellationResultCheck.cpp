//===--- IgnoredCancellationResultCheck.cpp -------------------------------===//

#include "IgnoredCancellationResultCheck.h"

using namespace async_tidy;

namespace clang::tidy::async {

IgnoredCancellationResultCheck::IgnoredCancellationResultCheck(
    StringRef Name, ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Ignored) {}

void IgnoredCancellationResultCheck::report(const CancellationFinding &F) {
  diag(F.Where,
       F.Flow.Logged
           ? "the error of this await is only logged: after a "
             "cancellation the coroutine goes on as if it had succeeded"
           : "the error of this await is never looked at: after a "
             "cancellation the coroutine goes on as if it had "
             "succeeded");
}

} // namespace clang::tidy::async
