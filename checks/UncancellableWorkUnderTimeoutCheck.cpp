//===--- UncancellableWorkUnderTimeoutCheck.cpp ---------------------------===//

#include "UncancellableWorkUnderTimeoutCheck.h"
#include "TimeText.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

UncancellableWorkUnderTimeoutCheck::UncancellableWorkUnderTimeoutCheck(
    StringRef Name, ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      OffloadFunctions(
          utils::options::parseStringList(Options.get("OffloadFunctions", ""))),
      AllowedFunctions(
          utils::options::parseStringList(Options.get("AllowedFunctions", ""))),
      WarnOnByRefCapture(Options.get("WarnOnByRefCapture", true)) {}

void UncancellableWorkUnderTimeoutCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "OffloadFunctions",
                utils::options::serializeStringList(OffloadFunctions));
  Options.store(Opts, "AllowedFunctions",
                utils::options::serializeStringList(AllowedFunctions));
  Options.store(Opts, "WarnOnByRefCapture", WarnOnByRefCapture);
}

bool UncancellableWorkUnderTimeoutCheck::wantsPlainFunction(
    const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

void UncancellableWorkUnderTimeoutCheck::checkFunction(
    const FunctionBody &Body) {
  auto Offloads = [&](const FunctionDecl &F) {
    return isNamed(F, OffloadFunctions);
  };
  for (const Expr *Outcome : outcomesOf(Body))
    for (const Limit &L : analyses().get<Limits>().limitsIn(Body, Outcome)) {
      if (L.How == Limit::Argument)
        continue;
      auto Found = analyses().get<DeafWorks>().under(Body, L, {Offloads});
      if (!Found || (Found->What == DeafWork::Dropped && !WarnOnByRefCapture))
        continue;
      auto IsAllowed = [&](const Expr *E) {
        const auto *Call = dyn_cast<CallExpr>(E);
        return Call && Call->getDirectCallee() &&
               isNamed(*Call->getDirectCallee(), AllowedFunctions);
      };
      if (IsAllowed(Found->At) ||
          llvm::any_of(Found->Chain, [&](const FunctionDecl *F) {
            return isNamed(*F, AllowedFunctions);
          }))
        continue;
      report(Body, L, *Found);
      break; // an outer limit over the same work is the same fault
    }
}

void UncancellableWorkUnderTimeoutCheck::report(const FunctionBody &Body,
                                                const Limit &L,
                                                const DeafWork &Found) {
  SourceLocation Where = L.At->getBeginLoc();
  if (!firstReportAt(Where))
    return;
  Amount Time = analyses().get<Limits>().amount(L);
  std::string Its = timeText(Time, L.Time.E, "");
  std::string After = Its.empty() ? "its timeout" : Its;
  std::string Of = Its.empty() ? "" : " of " + Its;
  bool GoesOn = L.Model && L.Model->Expiry &&
                *L.Model->Expiry != OnExpiry::CancelsAndWaits;
  std::string By = calleeText(Found.At);
  if (Found.What == DeafWork::Computing) {
    const FunctionDecl *Runs = Found.Chain.back();
    const auto *Op = dyn_cast<CXXMethodDecl>(Runs);
    By = Op && Op->getParent()->isLambda()
             ? "the lambda"
             : "'" + Runs->getNameAsString() + "'";
  }
  if (Found.What == DeafWork::Dropped)
    diag(Where, "after %0 the caller goes on, but the work is not told: it "
                "goes on unseen and %select{refers to|holds}1 %2")
        << After << Found.IsGuard << Found.Holds;
  else if (Found.What == DeafWork::Offloaded && GoesOn)
    diag(Where, "after %0 the caller goes on, but so does the work: %1 runs it "
                "on another thread, where nothing tells it to stop")
        << After << By;
  else if (Found.What == DeafWork::Offloaded)
    diag(Where, "this timeout%0 is late: %1 runs the work on another thread, "
                "where nothing tells it to stop, and the wait lasts until it "
                "ends")
        << Of << By;
  else if (GoesOn)
    diag(Where, "after %0 the caller goes on, but so does the work: %1 awaits "
                "nothing in which it could be cancelled")
        << After << By;
  else
    diag(Where, "this timeout%0 is late: %1 awaits nothing in which it could "
                "be cancelled, and runs to its end")
        << Of << By;
  noteOrigins(*this, Time.Origins, Time.ByDefault);
  noteChain(*this, Found.Chain);
  if (Found.What == DeafWork::Offloaded)
    diag(Found.At->getBeginLoc(),
         "the work is handed over here; give it a token or a deadline to ask",
         DiagnosticIDs::Note);
  if (!WarnOnByRefCapture || !GoesOn || !Found.Chain.empty())
    return;
  for (const ValueDecl *V : borrowedBy(Found.Work))
    if (V != Found.Holds)
      diag(Found.Work->getBeginLoc(),
           "the work refers to %0 of this frame, which it may outlive",
           DiagnosticIDs::Note)
          << V;
}

} // namespace clang::tidy::async
