//===--- UnboundedRetryCheck.cpp ------------------------------------------===//

#include "UnboundedRetryCheck.h"
#include "CancellationFaults.h"
#include "TimeText.h"
#include "analysis/TokenUse.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

UnboundedRetryCheck::UnboundedRetryCheck(StringRef Name,
                                         ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      AllowedFunctions(
          utils::options::parseStringList(Options.get("AllowedFunctions", ""))),
      AllowPaused(Options.get("AllowPaused", false)) {}

void UnboundedRetryCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "AllowedFunctions",
                utils::options::serializeStringList(AllowedFunctions));
  Options.store(Opts, "AllowPaused", AllowPaused);
}

/// What stands for \p Retry: the loop, or the call of itself.
static const Stmt *keyOf(const RetryLoop &Retry) {
  return Retry.Loop ? Retry.Loop : Retry.SelfCall;
}

void UnboundedRetryCheck::checkFunction(const FunctionBody &Body) {
  const FunctionDecl &F = Body.function();
  if (!Body.isCoroutine() || F.isMain() || isNamed(F, AllowedFunctions))
    return;
  RetryLoops &Retries = analyses().get<RetryLoops>();
  Limits &All = analyses().get<Limits>();
  llvm::SmallPtrSet<const Stmt *, 4> Limited;
  llvm::SmallVector<std::pair<RetryLoop, const Expr *>, 2> Found;
  for (const Expr *Await : Body.suspensions()) {
    const Expr *Operand = suspensionOperand(*Await);
    // Waiting for the next one to come is no attempt at anything.
    if (All.sleepIn(Body, Operand) ||
        findWritten(Operand, roles(), {Role::BestEffort}))
      continue;
    std::optional<RetryLoop> Retry = Retries.around(Body, Await);
    if (!Retry || Retry->Attempts || Retry->Capped || Retry->OverRange ||
        Retry->UntilStopped || !Retry->AfterError)
      continue;
    if (!All.attemptLimits(Body, Operand).empty())
      Limited.insert(keyOf(*Retry));
    Found.push_back({*Retry, Await});
  }
  for (const auto &[Retry, Await] : Found) {
    if (Limited.contains(keyOf(Retry)) ||
        (AllowPaused && !Retry.Pauses.empty()) ||
        Retries.isBudgeted(Body, Retry.Loop) ||
        canBeStopped(Body, Retry.Loop ? *Retry.Loop : *Body.body(), *Await) ||
        coroutines().isDetachedRoot(F))
      continue;
    report(Body, Retry, *Await);
  }
}

/// \p S is or ends with a jump out of the loop or the function.
static bool leaves(const Stmt *S) {
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
    S = Block->body_empty() ? nullptr : Block->body_back();
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    S = E->IgnoreParenImpCasts();
  if (const auto *Cleanups = dyn_cast_or_null<ExprWithCleanups>(S))
    S = Cleanups->getSubExpr();
  return isa_and_nonnull<BreakStmt, ReturnStmt, CoreturnStmt, CXXThrowExpr>(S);
}

/// \p Condition asks something that others can change: this object's state, a
/// flag that was handed in, a global.
static bool asksOthers(const Expr *Condition) {
  bool Found = false;
  walkWritten(Condition, [&](const Stmt &S) {
    if (const auto *Call = dyn_cast<CallExpr>(&S);
        Call && !isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call))
      Found |= Call->getNumArgs() == 0;
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && !Var->getType().isConstQualified())
      Found |= (isa<ParmVarDecl>(Var) && Var->getType()->isReferenceType()) ||
               Var->hasGlobalStorage();
    Found |= isa<CXXThisExpr>(S);
    return !Found;
  });
  return Found;
}

bool UnboundedRetryCheck::decidesAboutError(const FunctionBody &Body,
                                            const CallExpr &Call) {
  if (roles().find(&Call, Role::Logging))
    return false;
  const bool Awaited = llvm::any_of(Body.suspensions(), [&](const Expr *E) {
    return stripped(suspensionOperand(*E)) == &Call;
  });
  const Expr *Object = objectOf(Call);
  if (!Awaited && (!Object || isa<CXXOperatorCallExpr>(Call)))
    return false;
  return llvm::any_of(Call.arguments(), [&](const Expr *Arg) {
    QualType T = Arg->getType();
    if (roles().findType(T, Role::ErrorHolder) ||
        roles().findType(T, Role::ErrorCode))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Arg));
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && Var->isExceptionVariable();
  });
}

bool UnboundedRetryCheck::canBeStopped(const FunctionBody &Body,
                                       const Stmt &Loop, const Expr &Attempt) {
  if (asksToken(&Loop, roles()))
    return true;
  const Tokens &All = analyses().get<Tokens>();
  bool Stops = false;
  walkWritten(&Loop, [&](const Stmt &S) {
    if (const auto *If = dyn_cast<IfStmt>(&S))
      Stops |= leaves(If->getThen()) && asksOthers(If->getCond());
    // `attempts++ < 5 ? … : …`: a count that acts through what it selects.
    if (const auto *Choice = dyn_cast<ConditionalOperator>(&S))
      walkWritten(Choice->getCond(), [&](const Stmt &Part) {
        const auto *Step = dyn_cast<UnaryOperator>(&Part);
        Stops |= Step && Step->isIncrementDecrementOp();
        return !Stops;
      });
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (!Call)
      return !Stops;
    for (const Expr *Arg : Call->arguments())
      Stops |= !isa<CXXDefaultArgExpr>(Arg) && All.carriedBy(Arg->getType());
    if (Body.contains(&Attempt, Call))
      return !Stops;
    // A function that the caller gave says what to do about a failure.
    const Expr *Object = objectOf(*Call);
    const auto *Called = dyn_cast_or_null<DeclRefExpr>(
        stripped(Object ? Object : Call->getCallee()));
    Stops |= Called && isa<ParmVarDecl>(Called->getDecl()) &&
             (!Object || isa<CXXOperatorCallExpr>(Call));
    Stops |= decidesAboutError(Body, *Call);
    return !Stops;
  });
  if (Stops)
    return true;
  // That a cancelled attempt is begun again is the worse fault.
  return llvm::any_of(analyses().get<CancellationFaults>().of(Body),
                      [&](const CancellationFinding &F) {
                        return F.Fault == CancellationFault::Retried &&
                               F.Source && Body.contains(&Loop, F.Source);
                      });
}

void UnboundedRetryCheck::report(const FunctionBody &Body,
                                 const RetryLoop &Retry, const Expr &Await) {
  const Stmt *At = keyOf(Retry);
  if (!firstReportAt(At->getBeginLoc()))
    return;
  diag(
      At->getBeginLoc(),
      "this tries again for ever%select{ and without a pause|}0 when %1 fails: "
      "nothing counts the attempts or limits their time")
      << !Retry.Pauses.empty()
      << calleeText(stripped(suspensionOperand(Await)));
  diag(Await.getBeginLoc(), "this is tried again", DiagnosticIDs::Note);
}

} // namespace clang::tidy::async
