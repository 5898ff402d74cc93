//===--- ShieldedAwaitUnderTimeoutCheck.cpp -------------------------------===//

#include "ShieldedAwaitUnderTimeoutCheck.h"
#include "TimeText.h"
#include "analysis/DeafWork.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

ShieldedAwaitUnderTimeoutCheck::ShieldedAwaitUnderTimeoutCheck(
    StringRef Name, ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      ShieldFunctions(
          utils::options::parseStringList(Options.get("ShieldFunctions", ""))),
      AllowedShieldedCallees(utils::options::parseStringList(
          Options.get("AllowedShieldedCallees", ""))),
      AllowWithInnerTimeout(Options.get("AllowWithInnerTimeout", true)) {}

void ShieldedAwaitUnderTimeoutCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "ShieldFunctions",
                utils::options::serializeStringList(ShieldFunctions));
  Options.store(Opts, "AllowedShieldedCallees",
                utils::options::serializeStringList(AllowedShieldedCallees));
  Options.store(Opts, "AllowWithInnerTimeout", AllowWithInnerTimeout);
}

bool ShieldedAwaitUnderTimeoutCheck::wantsPlainFunction(const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

void ShieldedAwaitUnderTimeoutCheck::checkFunction(const FunctionBody &Body) {
  Limits &AllLimits = analyses().get<Limits>();
  auto IsShield = [&](const FunctionDecl &F) {
    return isNamed(F, ShieldFunctions);
  };
  auto MayBeShielded = [&](const FunctionDecl &F) {
    return isNamed(F, AllowedShieldedCallees);
  };
  Shields::Policy Policy{IsShield, MayBeShielded, AllowWithInnerTimeout};
  for (const Expr *Outcome : outcomesOf(Body))
    for (const Limit &L : AllLimits.limitsIn(Body, Outcome))
      if (auto Found = analyses().get<Shields>().under(Body, L, Policy)) {
        report(Body, L, *Found);
        break; // an outer limit over the same shield is the same fault
      }
}

void ShieldedAwaitUnderTimeoutCheck::report(const FunctionBody &Body,
                                            const Limit &L,
                                            const ShieldedWork &Found) {
  SourceLocation Where = L.At->getBeginLoc();
  if (!firstReportAt(Where))
    return;
  Limits &AllLimits = analyses().get<Limits>();
  Amount Time = AllLimits.amount(L);
  std::string After = timeText(Time, L.Time.E, "its timeout");
  bool Itself = Found.Shield == L.At;
  std::string Shield = calleeText(Found.Shield);
  bool GoesOn = Itself || (Found.Model && Found.Model->Severs) ||
                (L.Model && L.Model->Expiry &&
                 *L.Model->Expiry != OnExpiry::CancelsAndWaits);
  if (Itself)
    diag(Where, "after %0 %1 stops waiting, but the work is not told and goes "
                "on unseen")
        << After << Shield;
  else if (GoesOn)
    diag(Where, "the caller gives up after %0, but %1 keeps the cancellation "
                "from the work, which goes on unseen")
        << After << Shield;
  else
    diag(Where, "this timeout of %0 cannot end the wait before the work ends: "
                "%1 keeps its cancellation away")
        << After << Shield;
  noteOrigins(*this, Time.Origins, Time.ByDefault);
  noteChain(*this, Found.Chain);
  if (!Itself)
    diag((Found.Inside ? Found.Inside : Found.Shield)->getBeginLoc(),
         "the shield is here; a timeout inside it would limit the work",
         DiagnosticIDs::Note);
  if (!GoesOn || !Found.Chain.empty())
    return;
  for (const ValueDecl *V : borrowedBy(Found.Work))
    diag(Found.Work->getBeginLoc(),
         "the work refers to %0 of this frame, which it may outlive",
         DiagnosticIDs::Note)
        << V;
}

} // namespace clang::tidy::async
