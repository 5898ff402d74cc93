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

bool DroppedDeadlineCheck::isTimeLimit(const ParmVarDecl &P) {
  QualType T = plainTime(P.getType());
  const bool Duration = isDurationType(T);
  if (!Duration && !isTimePointType(T))
    return roles().findType(T, Role::Deadline) != nullptr;
  // Points in time are also "since when" and "as of", durations also pauses and
  // ages: the name decides.
  if (!P.getIdentifier())
    return false;
  static constexpr StringRef Words[] = {"timeout",  "time_limit", "timelimit",
                                        "deadline", "until",      "expir"};
  return llvm::any_of(
      ArrayRef(Words).take_front(Duration ? 3 : 6),
      [&](StringRef Word) { return P.getName().contains_insensitive(Word); });
}

void DroppedDeadlineCheck::checkFunction(const FunctionBody &Body) {
  const FunctionDecl &F = Body.function();
  if (isTidyingUp(F, roles()) || isNamed(F, AllowedFunctions))
    return;
  const ParmVarDecl *TimeLimit = nullptr;
  for (const ParmVarDecl *P : F.parameters()) {
    if (!isTimeLimit(*P) || P->getDeclName().isEmpty())
      continue;
    // Of two, only the author knows which one is meant.
    if (TimeLimit)
      return;
    TimeLimit = P;
  }
  if (!TimeLimit)
    return;
  for (const Stmt *S : Body.statements())
    if (const auto *Call = dyn_cast<CallExpr>(S))
      checkCall(Body, *Call, *TimeLimit);
}

void DroppedDeadlineCheck::checkCall(const FunctionBody &Body,
                                     const CallExpr &Call,
                                     const ParmVarDecl &TimeLimit) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isAwaitableType(Call.getType(), analyses().ast()) ||
      isNamedAsTidyingUp(*Callee) || isNamed(*Callee, AllowedFunctions) ||
      roles().find(&Call, Role::BestEffort))
    return;
  QualType Have = plainTime(TimeLimit.getType());
  const bool Duration = isDurationType(Have);
  const Tokens &All = analyses().get<Tokens>();
  auto Omitted = All.omitted(Call, Body.function(), [&](const ParmVarDecl &P) {
    // A timeout is often for one step only: the same name says what it is for.
    return isTimeLimit(P) && plainTime(P.getType()) == Have &&
           (!Duration || P.getName().equals_insensitive(TimeLimit.getName()));
  });
  if (!Omitted || isLimitedElsewhere(Body, Call, roles(), All))
    return;
  // What is computed from the deadline carries it.
  bool Carried = false;
  walkWritten(Body.fullExpression(&Call), [&](const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      Carried |= Ref->getDecl() == &TimeLimit ||
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
             "%0 is not passed on: %1 takes a %select{deadline|timeout}2 and "
             "runs %select{without one|with its default}3 here")
        << &TimeLimit << Callee << Duration << Omitted->ByDefault;
    // Of a timeout only what is left of it should be passed on.
    if (Omitted->Appendable && !Duration)
      Diag << appendArgument(Call, TimeLimit.getName());
  }
  diag(Omitted->Function->getParamDecl(Omitted->Index)->getLocation(),
       "the parameter is here", DiagnosticIDs::Note);
}

} // namespace clang::tidy::async
