//===--- DroppedCancellationTokenCheck.cpp --------------------------------===//

#include "DroppedCancellationTokenCheck.h"
#include "ArgumentEdits.h"
#include "TimeText.h"
#include "analysis/TokenUse.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

/// Pauses up to this long, in nanoseconds, hold up nobody who cancels; in a
/// loop that asks its token, pauses up to the second.
constexpr double ShortPause = 100e6, ShortPauseOfPoller = 1e9;

DroppedCancellationTokenCheck::DroppedCancellationTokenCheck(
    StringRef Name, ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      AllowedFunctions(
          utils::options::parseStringList(Options.get("AllowedFunctions", ""))),
      CheckUnusedParameter(Options.get("CheckUnusedParameter", true)) {}

void DroppedCancellationTokenCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "AllowedFunctions",
                utils::options::serializeStringList(AllowedFunctions));
  Options.store(Opts, "CheckUnusedParameter", CheckUnusedParameter);
}

bool DroppedCancellationTokenCheck::wantsPlainFunction(const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

void DroppedCancellationTokenCheck::checkFunction(const FunctionBody &Body) {
  const FunctionDecl &F = Body.function();
  // Work that tidies up must not stop half way.
  if (isTidyingUp(F, roles()) || isNamed(F, AllowedFunctions))
    return;
  bool Dropped = false;
  for (const Stmt *S : Body.statements())
    if (const auto *Call = dyn_cast<CallExpr>(S))
      Dropped |= checkCall(Body, *Call);
  if (!Body.isCoroutine())
    return;
  checkStaleToken(Body);
  if (CheckUnusedParameter && !Dropped)
    checkUnusedParameter(Body);
}

bool DroppedCancellationTokenCheck::isShortPause(const FunctionBody &Body,
                                                 const CallExpr &Call) {
  const Entry *Sleep = roles().find(&Call, Role::Sleep);
  if (!Sleep)
    return false;
  const Expr *Time = roles().argument(Call, Sleep->Duration);
  if (!Time)
    return false;
  Amount Length = analyses().get<Durations>().foldTime(Time, Sleep->NumberUnit);
  if (!Length.High)
    return false;
  bool Polls = false;
  for (const Stmt *Loop = Body.enclosingLoop(&Call); Loop;
       Loop = Body.enclosingLoop(Loop))
    Polls |= asksToken(Loop, roles());
  return *Length.High < (Polls ? ShortPauseOfPoller : ShortPause);
}

/// \p Call's future is kept, or asked for what it has, but not waited for.
static bool isNoWait(const FunctionBody &Body, const CallExpr &Call,
                     const SymbolRoles &Roles) {
  for (const Stmt *P = Body.parent(&Call); isa_and_nonnull<Expr>(P);
       P = Body.parent(P)) {
    if (isSuspension(*P))
      return false;
    if (const auto *Outer = dyn_cast<CXXMemberCallExpr>(P);
        Outer && stripped(Outer->getImplicitObjectArgument()) == &Call)
      return !Roles.find(Outer, Role::SyncWait) &&
             !isAwaitableType(Outer->getType(), Roles.context()) &&
             !Outer->getType()->isVoidType();
    const Expr *Target = nullptr;
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(P);
        Op && Op->getOperator() == OO_Equal)
      Target = Op->getArg(0);
    else if (const auto *Assign = dyn_cast<BinaryOperator>(P);
             Assign && Assign->isAssignmentOp())
      Target = Assign->getLHS();
    if (Target)
      return isa<MemberExpr>(stripped(Target));
  }
  return false;
}

/// What \p Call waits for is a member that this class breaks to end the waits.
static bool isBrokenElsewhere(const FunctionBody &Body, const CallExpr &Call,
                              AnalysisContext &Context) {
  auto Ended = [&](const Expr *E) {
    const auto *Member = E ? dyn_cast<MemberExpr>(stripped(E)) : nullptr;
    return Member && isa<CXXThisExpr>(stripped(Member->getBase())) &&
           isEndedElsewhere(*Member->getMemberDecl(), Body, Context);
  };
  return Ended(objectOf(Call)) || llvm::any_of(argumentsOf(Call), Ended);
}

bool DroppedCancellationTokenCheck::checkCall(const FunctionBody &Body,
                                              const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() ||
      !isAwaitableType(Call.getType(), analyses().ast()) ||
      isNamedAsTidyingUp(*Callee) || roles().find(&Call, Role::BestEffort) ||
      roles().find(&Call, Role::Immediate) || isNoWait(Body, Call, roles()) ||
      isNamed(*Callee, AllowedFunctions))
    return false;
  Tokens &All = analyses().get<Tokens>();
  const Entry *WithTwin = nullptr;
  for (const Entry *En : roles().entries(&Call))
    if (!En->Abortable.empty())
      WithTwin = En;
  auto Reachable = All.reachable(Body, Call);
  if (Reachable.empty())
    return false;
  auto Omitted = All.omitted(Call, Body.function(), [&](const ParmVarDecl &P) {
    return llvm::any_of(Reachable, [&](const ReachableToken &T) {
      return !All.spelledFor(P.getType(), T.Decl->getType(), "x").empty();
    });
  });
  const FunctionDecl *Twin =
      !Omitted && WithTwin ? twinOf(*Callee, WithTwin->Abortable) : nullptr;
  if (!Omitted && !Twin)
    return false;
  QualType Wanted =
      Omitted ? Omitted->Function->getParamDecl(Omitted->Index)->getType()
              : Twin->getParamDecl(Twin->getNumParams() - 1)->getType();
  llvm::SmallVector<ReachableToken, 2> Fitting;
  llvm::SmallVector<std::string, 2> Texts;
  for (const ReachableToken &T : Reachable)
    if (std::string Text =
            All.spelledFor(Wanted, T.Decl->getType(), T.Decl->getName());
        !Text.empty()) {
      Fitting.push_back(T);
      Texts.push_back(Text);
    }
  if (Fitting.empty() || isLimitedElsewhere(Body, Call, roles(), All) ||
      isAfterCancellation(Body, Call, roles()) || isShortPause(Body, Call) ||
      isBrokenElsewhere(Body, Call, analyses()))
    return false;
  if (firstReportAt(Call.getExprLoc()))
    report(Call, Fitting, Texts, Omitted ? &*Omitted : nullptr, Twin);
  return true;
}

/// Where the last part of the callee's name stands.
static SourceLocation nameLocation(const CallExpr &Call) {
  const Expr *Callee = Call.getCallee()->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
    return Ref->getLocation();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return Member->getMemberLoc();
  return Callee->getExprLoc();
}

void DroppedCancellationTokenCheck::report(const CallExpr &Call,
                                           ArrayRef<ReachableToken> At,
                                           ArrayRef<std::string> Texts,
                                           const OmittedParameter *Omitted,
                                           const FunctionDecl *Twin) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  std::string How;
  if (Twin)
    How = "'" + Twin->getNameAsString() + "' takes it";
  else if (Omitted->ByDefault)
    How = "'" + Callee->getNameAsString() + "' takes it as its parameter '" +
          Omitted->Function->getParamDecl(Omitted->Index)->getNameAsString() +
          "'";
  else
    How = "an overload of '" + Callee->getNameAsString() + "' takes it";
  {
    auto Diag = diag(Call.getExprLoc(),
                     "this wait does not end when %0 is cancelled: %1")
                << At.front().Decl << How;
    // Which of several is meant only the author knows.
    if (At.size() == 1 && isEditable(Call) && (Twin || Omitted->Appendable)) {
      if (Twin)
        Diag << FixItHint::CreateReplacement(nameLocation(Call),
                                             Twin->getName());
      Diag << appendArgument(Call, Texts.front());
    }
  }
  diag((Twin ? Twin : Omitted->Function)->getLocation(),
       "the one that takes it is declared here", DiagnosticIDs::Note);
  for (const ReachableToken &Other : At.drop_front())
    diag(Other.Decl->getLocation(), "%0 is in scope, too", DiagnosticIDs::Note)
        << Other.Decl;
}

void DroppedCancellationTokenCheck::checkStaleToken(const FunctionBody &Body) {
  const Entry *Task =
      roles().findType(Body.function().getReturnType(), Role::Task);
  if (!Task || !Task->TokenPerItem)
    return;
  for (const Expr *Await : Body.suspensions()) {
    if (!roles().find(stripped(suspensionOperand(*Await)), Role::CurrentToken))
      continue;
    const auto *Decls = Body.enclosing<DeclStmt>(Await);
    const auto *Var = Decls && Decls->isSingleDecl()
                          ? dyn_cast<VarDecl>(Decls->getSingleDecl())
                          : nullptr;
    if (!Var)
      continue;
    for (const Stmt *S : Body.statements()) {
      const auto *Ref = dyn_cast<DeclRefExpr>(S);
      if (!Ref || Ref->getDecl() != Var)
        continue;
      const Stmt *Loop = Body.enclosingLoop(Ref);
      if (!Loop || Body.contains(Loop, Decls) ||
          llvm::none_of(suspensionsIn(Loop),
                        [](const Expr *E) { return isa<CoyieldExpr>(E); }))
        continue;
      if (firstReportAt(Await->getBeginLoc())) {
        diag(
            Await->getBeginLoc(),
            "%0 is out of date after the next 'co_yield': whoever asks for the "
            "next item may bring a token of their own; get it anew each time")
            << Var;
        diag(Ref->getExprLoc(), "used again here", DiagnosticIDs::Note);
      }
      break;
    }
  }
}

void DroppedCancellationTokenCheck::checkUnusedParameter(
    const FunctionBody &Body) {
  const FunctionDecl &F = Body.function();
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  // Such a signature is not the author's choice.
  if (Body.suspensions().empty() || F.isTemplateInstantiation() ||
      F.isOverloadedOperator() ||
      (Method && (Method->isVirtual() || Method->getParent()->isLambda())))
    return;
  for (const ParmVarDecl *P : F.parameters()) {
    const Entry *Model = analyses().get<Tokens>().carriedBy(P->getType());
    if (!Model || P->getDeclName().isEmpty() || P->hasAttr<UnusedAttr>() ||
        P->isReferenced() ||
        (Model->Owner && Model->Owner->ImplicitPropagation) ||
        llvm::any_of(coroutines().uses(F),
                     [](const FunctionUse &Use) {
                       return Use.How == FunctionUse::Named;
                     }) ||
        !firstReportAt(P->getLocation()))
      continue;
    diag(P->getLocation(), "%0 is never used: %1 cannot be cancelled, although "
                           "its callers may think so")
        << P << &F;
  }
}

} // namespace clang::tidy::async
