//===--- DroppedDeadlineCheck.cpp -----------------------------------------===//

#include "DroppedDeadlineCheck.h"
#include "ArgumentEdits.h"
#include "TimeText.h"
#include "analysis/TokenUse.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

DroppedDeadlineCheck::DroppedDeadlineCheck(StringRef Name,
                                           ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      AllowedFunctions(utils::options::parseStringList(
          Options.get("AllowedFunctions", ""))) {}

void DroppedDeadlineCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "AllowedFunctions",
                utils::options::serializeStringList(AllowedFunctions));
}

bool DroppedDeadlineCheck::wantsPlainFunction(const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

/// The point in time that a \p T is or wraps.
static QualType plainTime(QualType T) {
  T = T.getNonReferenceType();
  if (QualType Inner = wrappedType(T, {"optional"}); !Inner.isNull())
    T = Inner;
  return T.getCanonicalType().getUnqualifiedType();
}

bool DroppedDeadlineCheck::isDeadline(const ParmVarDecl &P) {
  QualType T = plainTime(P.getType());
  if (!isTimePointType(T))
    return roles().findType(T, Role::Deadline) != nullptr;
  // Points in time are also "since when" and "as of": the name decides.
  if (!P.getIdentifier())
    return false;
  StringRef Name = P.getName();
  return llvm::any_of(
      ArrayRef<StringRef>{"deadline", "timeout", "until", "expir", "time_limit",
                          "timelimit"},
      [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

void DroppedDeadlineCheck::checkFunction(const FunctionBody &Body) {
  const FunctionDecl &F = Body.function();
  if (isTidyingUp(F, roles()) || isNamed(F, AllowedFunctions))
    return;
  const ParmVarDecl *Deadline = nullptr;
  for (const ParmVarDecl *P : F.parameters()) {
    if (!isDeadline(*P) || P->getDeclName().isEmpty())
      continue;
    // Of two, only the author knows which one is meant.
    if (Deadline)
      return;
    Deadline = P;
  }
  if (!Deadline)
    return;
  for (const Stmt *S : Body.statements())
    if (const auto *Call = dyn_cast<CallExpr>(S))
      checkCall(Body, *Call, *Deadline);
}

void DroppedDeadlineCheck::checkCall(const FunctionBody &Body,
                                     const CallExpr &Call,
                                     const ParmVarDecl &Deadline) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isAwaitableType(Call.getType(), analyses().ast()) ||
      isNamedAsTidyingUp(*Callee) || isNamed(*Callee, AllowedFunctions) ||
      roles().find(&Call, Role::BestEffort))
    return;
  QualType Have = plainTime(Deadline.getType());
  const Tokens &All = analyses().get<Tokens>();
  auto Omitted = All.omitted(Call, Body.function(), [&](const ParmVarDecl &P) {
    return isDeadline(P) && plainTime(P.getType()) == Have;
  });
  if (!Omitted || isLimitedElsewhere(Body, Call, roles(), All))
    return;
  // What is computed from the deadline carries it.
  bool Carried = false;
  walkWritten(Body.fullExpression(&Call), [&](const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      Carried |= Ref->getDecl() == &Deadline ||
                 isDurationType(Ref->getType().getNonReferenceType()) ||
                 isTimePointType(Ref->getType().getNonReferenceType());
    return !Carried;
  });
  if (Carried || isAfterCancellation(Body, Call, roles()) ||
      !firstReportAt(Call.getExprLoc()))
    return;
  {
    auto Diag =
        diag(Call.getExprLoc(),
             "%0 is not passed on: %1 takes a deadline and runs %select{"
             "without one|with its default}2 here")
        << &Deadline << Callee << Omitted->ByDefault;
    if (Omitted->Appendable)
      Diag << appendArgument(Call, Deadline.getName());
  }
  diag(Omitted->Function->getParamDecl(Omitted->Index)->getLocation(),
       "the parameter is here", DiagnosticIDs::Note);
}

} // namespace clang::tidy::async
