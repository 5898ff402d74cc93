//===--- CancellationCheck.cpp --------------------------------------------===//

#include "CancellationCheck.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

CancellationCheck::CancellationCheck(StringRef Name, ClangTidyContext *Context,
                                     CancellationFault Fault)
    : AsyncCheck(Name, Context), Fault(Fault),
      CancellationTypes(utils::options::parseStringList(
          Options.getLocalOrGlobal("CancellationTypes", ""))),
      HandlerCallees(utils::options::parseStringList(
          Options.getLocalOrGlobal("HandlerCallees", ""))),
      AllowTopLevelDetached(
          Options.getLocalOrGlobal("AllowTopLevelDetached", true)),
      AllowChildCancel(Options.getLocalOrGlobal("AllowChildCancel", true)),
      AllowTokenGuard(Options.getLocalOrGlobal("AllowTokenGuard", true)) {}

void CancellationCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "CancellationTypes",
                utils::options::serializeStringList(CancellationTypes));
  Options.store(Opts, "HandlerCallees",
                utils::options::serializeStringList(HandlerCallees));
  Options.store(Opts, "AllowTopLevelDetached", AllowTopLevelDetached);
  Options.store(Opts, "AllowChildCancel", AllowChildCancel);
  Options.store(Opts, "AllowTokenGuard", AllowTokenGuard);
}

AsyncCheck::NamesByRole CancellationCheck::modelFromOptions() const {
  return {{"cancellation-type", CancellationTypes},
          {"rethrow", HandlerCallees}};
}

void CancellationCheck::checkFunction(const FunctionBody &Body) {
  auto Allowed = [&](Excuse E) {
    switch (E) {
    case Excuse::None:
      return false;
    case Excuse::DetachedRoot:
      return AllowTopLevelDetached;
    case Excuse::OwnChild:
      return AllowChildCancel;
    case Excuse::TokenAsked:
      return AllowTokenGuard;
    }
    llvm_unreachable("all excuses are handled");
  };
  for (const CancellationFinding &F :
       analyses().get<CancellationFaults>().of(Body))
    if (F.Fault == Fault && !Allowed(F.Excused) && firstReportAt(F.Where))
      report(F);
}

std::string
CancellationCheck::receiverName(const CancellationFinding &F) const {
  if (F.Continuation) {
    const NamedDecl *Callee = calleeOf(*F.Continuation);
    return Callee ? "'" + Callee->getDeclName().getAsString() + "'" : "this";
  }
  if (!F.Handler)
    return "this";
  QualType T = F.Handler->getCaughtType();
  if (T.isNull())
    return "'catch (...)'";
  PrintingPolicy Policy(getLangOpts());
  Policy.SuppressTagKeyword = true;
  return "'catch (" + T.getAsString(Policy) + ")'";
}

void CancellationCheck::noteSource(const CancellationFinding &F) {
  if (F.Source && F.Handler)
    diag(F.Source->getBeginLoc(),
         isSuspension(*F.Source) ? "a cancellation arrives at this await"
                                 : "a cancellation is thrown here",
         DiagnosticIDs::Note);
  if (F.Outcome.Where && F.Outcome.End != PathEnd::FallsOff &&
      (F.Handler || F.Continuation) && F.Outcome.End != PathEnd::Converts)
    diag(F.Outcome.Where->getBeginLoc(),
         F.Outcome.End == PathEnd::Retries ? "and control comes back here"
                                           : "this is what the caller gets",
         DiagnosticIDs::Note);
}

std::optional<FixItHint>
CancellationCheck::letThrough(const CancellationFinding &F) const {
  // A handler that keeps the error for later does something with it that a
  // clause before it would cut off.
  if (!F.Handler || !F.Lib || F.Flow.Stash || !F.Form.Class ||
      F.Handler->getCatchLoc().isMacroID() || F.Form.Model->Owner != F.Lib)
    return std::nullopt;
  const VarDecl *Var = F.Handler->getExceptionDecl();
  if (F.Form.byCode()) {
    const auto *Block = dyn_cast<CompoundStmt>(F.Handler->getHandlerBlock());
    QualType Caught = F.Handler->getCaughtType();
    if (!Var || Var->getName().empty() || F.Lib->RethrowStatement.empty() ||
        !Block || Caught.isNull() ||
        Caught.getNonReferenceType()->getAsCXXRecordDecl() != F.Form.Class)
      return std::nullopt;
    std::string Text = F.Lib->RethrowStatement;
    if (size_t At = Text.find("{0}"); At != std::string::npos)
      Text.replace(At, 3, Var->getName().str());
    return FixItHint::CreateInsertion(Block->getLBracLoc().getLocWithOffset(1),
                                      " " + Text);
  }
  // A clause for the cancellation's own type needs no other before it.
  QualType Caught = F.Handler->getCaughtType();
  bool OwnType =
      !Caught.isNull() &&
      Caught.getNonReferenceType()->getAsCXXRecordDecl() == F.Form.Class;
  if (F.Lib->RethrowClause.empty() || OwnType)
    return std::nullopt;
  return FixItHint::CreateInsertion(F.Handler->getCatchLoc(),
                                    F.Lib->RethrowClause + " ");
}

} // namespace clang::tidy::async
