//===--- UnguardedReleaseCheck.cpp ----------------------------------------===//

#include "UnguardedReleaseCheck.h"
#include "TimeText.h"
#include "analysis/TestCode.h"

using namespace async_tidy;

namespace clang::tidy::async {

void UnguardedReleaseCheck::checkFunction(const FunctionBody &Body) {
  // A failed test needs nothing back.
  if (!Body.isCoroutine() ||
      analyses().get<TestCode>().contains(Body.function()))
    return;
  Permits &All = analyses().get<Permits>();
  for (const Permit &P : All.acquiredIn(Body))
    if (!checkTimeout(Body, P) && !checkGuard(Body, P))
      checkRelease(Body, P);
}

/// A timeout that gives up goes on without the result of the work, even if that
/// came at the same moment.
bool UnguardedReleaseCheck::checkTimeout(const FunctionBody &Body,
                                         const Permit &P) {
  for (const Stmt *S = Body.parent(P.Acquire); S && S != P.Await;
       S = Body.parent(S)) {
    const auto *Call = dyn_cast<Expr>(S);
    const Entry *Limit = Call ? roles().find(Call, Role::Timeout) : nullptr;
    // Where its end looks like a cancellation it is the work that was
    // cancelled, and the work knows whether it was done.
    if (!Limit || Limit->AsCancellation || !Limit->Expiry ||
        *Limit->Expiry == OnExpiry::Destroys)
      continue;
    const Expr *Work = roles().argument(*Call, Limit->Awaitable);
    if (!Work || !Body.contains(Work, P.Acquire))
      continue;
    if (!firstReportAt(P.Acquire->getExprLoc()))
      return true;
    diag(P.Acquire->getExprLoc(),
         "%0 can be had and lost: %select{%1 drops the result when the time is "
         "up|when the time is up, the wait goes on unseen}2, and nobody gives "
         "the permit back")
        << P.Object << calleeText(Call)
        << (*Limit->Expiry == OnExpiry::Abandons);
    return true;
  }
  return false;
}

bool UnguardedReleaseCheck::checkGuard(const FunctionBody &Body,
                                       const Permit &P) {
  const VarDecl *Armed = analyses().get<Permits>().armedTooEarly(Body, P);
  if (!Armed)
    return false;
  if (!firstReportAt(P.Acquire->getExprLoc()))
    return true;
  diag(P.Acquire->getExprLoc(),
       "if this wait fails or is cancelled, %0 gives back a permit of %1 that "
       "was never had: make it after the wait")
      << Armed << P.Object;
  diag(Armed->getLocation(), "it is made here", DiagnosticIDs::Note);
  return true;
}

void UnguardedReleaseCheck::checkRelease(const FunctionBody &Body,
                                         const Permit &P) {
  auto Loss = analyses().get<Permits>().lossOf(Body, P);
  if (!Loss || !firstReportAt(P.Acquire->getExprLoc()))
    return;
  diag(P.Acquire->getExprLoc(),
       "%0 stays taken when the coroutine %select{returns early|fails or is "
       "cancelled}1 below: hold it by an object that gives it back")
      << P.Object << Loss->ByFailure;
  diag(Loss->Where->getBeginLoc(),
       "%select{this leaves without %1|if this fails, %1 is not reached}0",
       DiagnosticIDs::Note)
      << Loss->ByFailure << calleeText(Loss->Release);
}

} // namespace clang::tidy::async
