//===--- UnbudgetedRetryCheck.cpp -----------------------------------------===//

#include "UnbudgetedRetryCheck.h"
#include "TimeText.h"
#include "Timeline.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

UnbudgetedRetryCheck::UnbudgetedRetryCheck(StringRef Name,
                                           ClangTidyContext *Context)
    : AsyncCheck(Name, Context), RetryHelpers(utils::options::parseStringList(
                                     Options.get("RetryHelpers", ""))),
      DeadlineTypes(
          utils::options::parseStringList(Options.get("DeadlineTypes", ""))),
      OuterBudgetText(Options.get("OuterBudget", "")),
      MinAttempts(Options.get("MinAttempts", 2U)),
      EndpointLoops(Options.get("EndpointLoops", true)) {
  if (OuterBudgetText.empty())
    return;
  OuterBudget = parseDuration(OuterBudgetText);
  if (!OuterBudget)
    configurationDiag("OuterBudget '%0' of %1 is no duration; write a number "
                      "and one of h, min, s, ms, us, ns")
        << OuterBudgetText << Name;
}

void UnbudgetedRetryCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "RetryHelpers",
                utils::options::serializeStringList(RetryHelpers));
  Options.store(Opts, "DeadlineTypes",
                utils::options::serializeStringList(DeadlineTypes));
  Options.store(Opts, "OuterBudget", OuterBudgetText);
  Options.store(Opts, "MinAttempts", MinAttempts);
  Options.store(Opts, "EndpointLoops", EndpointLoops);
}

//===----------------------------------------------------------------------===//
// What is exempt
//===----------------------------------------------------------------------===//

/// Something of a type the user calls a deadline comes from outside \p Loop.
bool UnbudgetedRetryCheck::mentionsDeadlineType(const FunctionBody &Body,
                                                const Stmt *Region,
                                                const Stmt *Loop) {
  if (DeadlineTypes.empty())
    return false;
  bool Found = false;
  walkWritten(Region, [&](const Stmt &S) {
    if (!isa<DeclRefExpr, MemberExpr>(S))
      return !Found;
    const TagDecl *TD =
        cast<Expr>(S).getType().getNonReferenceType()->getAsTagDecl();
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Var->hasInit() && Loop && Body.contains(Loop, Var->getInit()))
      return true;
    if (TD)
      for (StringRef Name : DeadlineTypes) {
        Name.consume_front("::");
        Found |= canonicalName(*TD) == Name || TD->getName() == Name;
      }
    return !Found;
  });
  return Found;
}

std::optional<Limit> UnbudgetedRetryCheck::freshLimit(const FunctionBody &Body,
                                                      const Stmt *Loop,
                                                      const Expr *Awaited) {
  Limits &All = analyses().get<Limits>();
  auto Found = All.attemptLimits(Body, Awaited);
  if (Found.empty() || All.followsDeadline(Body, Loop, Awaited) ||
      mentionsDeadlineType(Body, Awaited, Loop))
    return std::nullopt;
  for (const Limit &L : Found)
    if (!All.isFreshIn(Body, Loop, L))
      return std::nullopt;
  return Found.front();
}

bool UnbudgetedRetryCheck::isBudgeted(const FunctionBody &Body,
                                      const Stmt *Loop) {
  return analyses().get<RetryLoops>().isBudgeted(Body, Loop) ||
         mentionsDeadlineType(Body, Loop ? Loop : Body.body(), Loop);
}

//===----------------------------------------------------------------------===//
// Loops, recursion, helpers
//===----------------------------------------------------------------------===//

bool UnbudgetedRetryCheck::wantsPlainFunction(const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

void UnbudgetedRetryCheck::checkFunction(const FunctionBody &Body) {
  if (Body.isCoroutine())
    checkLoops(Body);
  checkHelpers(Body);
}

void UnbudgetedRetryCheck::checkLoops(const FunctionBody &Body) {
  RetryLoops &Retries = analyses().get<RetryLoops>();
  llvm::SmallVector<Attempt, 2> Found;
  for (const Expr *Await : Body.suspensions()) {
    const Expr *Operand = suspensionOperand(*Await);
    if (analyses().get<Limits>().attemptLimits(Body, Operand).empty())
      continue;
    std::optional<RetryLoop> Retry = Retries.around(Body, Await);
    if (!Retry || Retry->UntilStopped)
      continue;
    std::optional<Limit> L = freshLimit(Body, Retry->Loop, Operand);
    if (!L || isBudgeted(Body, Retry->Loop))
      continue;
    // Background work may go on trying: nobody waits for its end.
    if (!Retry->Attempts && !Retry->Capped &&
        coroutines().isDetachedRoot(Body.function()))
      continue;
    Found.push_back({&Body, *L, *Retry});
  }
  // Several limited steps of one attempt are one finding.
  llvm::SmallPtrSet<const Stmt *, 2> Done;
  for (const Attempt &A : Found) {
    if (!Done.insert(A.Retry.Loop).second)
      continue;
    const Attempt *Worst = &A;
    llvm::SmallVector<Attempt, 2> Others;
    for (const Attempt &B : Found)
      if (B.Retry.Loop == A.Retry.Loop &&
          B.Retry.LimitSum.value_or(0) > Worst->Retry.LimitSum.value_or(0))
        Worst = &B;
    for (const Attempt &B : Found)
      if (B.Retry.Loop == A.Retry.Loop && &B != Worst)
        Others.push_back(B);
    report(*Worst, Others);
  }
}

void UnbudgetedRetryCheck::checkHelpers(const FunctionBody &Body) {
  Limits &All = analyses().get<Limits>();
  RetryLoops &Retries = analyses().get<RetryLoops>();
  for (const Stmt *S : Body.statements()) {
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (!F)
      continue;
    // What a body in this file does is better known than what its name says.
    std::optional<RetryLoops::Helper> Helper = Retries.helper(*F);
    const Entry *Model = Helper ? nullptr : roles().find(Call, Role::Retry);
    auto Args = argumentsOf(*Call);
    const Expr *Callable = nullptr;
    RetryLoop Retry;
    Retry.Capped = true;
    if (!Helper && (Model || isNamed(*F, RetryHelpers))) {
      if (Model && roles().argument(*Call, Model->Budget))
        continue;
      auto IsCallable = [&](const Expr &A) {
        return isa<LambdaExpr>(All.resolve(Body, &A));
      };
      if (Model)
        Callable = roles().argument(*Call, Model->Callable, IsCallable);
      for (const Expr *Arg : Args)
        if (!Model && IsCallable(*Arg))
          Callable = Arg;
      if (const Expr *Times =
              Model ? roles().argument(*Call, Model->Attempts) : nullptr) {
        Amount Number = analyses().get<Durations>().fold(Times);
        if (Number.exact() && *Number.Low >= 1 && *Number.Low < 1e6) {
          Retry.Attempts = unsigned(*Number.Low);
          Retry.ByDefault = Number.ByDefault;
          Retry.AttemptOrigins = Number.Origins;
        }
      }
    } else if (Helper) {
      const FunctionBody *Inside = coroutines().body(F);
      if (Helper->Callable >= int(Args.size()))
        continue;
      Callable = Args[Helper->Callable];
      Bindings Given;
      for (unsigned I = 0;
           I < Args.size() && I < Inside->function().getNumParams(); ++I) {
        const ParmVarDecl *P = Inside->function().getParamDecl(I);
        if (P->getType().getNonReferenceType()->isArithmeticType() ||
            isDurationType(P->getType()))
          Given[P] = analyses().get<Durations>().fold(Args[I]);
      }
      auto Known = Retries.around(*Inside, Helper->Await, &Given);
      if (!Known || isBudgeted(*Inside, Known->Loop) || Known->UntilStopped)
        continue;
      Retry = *Known;
      Retry.AttemptOrigins.clear();
    }
    if (!Callable || !All.enclosing(Body, Call).empty() ||
        roles().find(&Body.function(), Role::Budgeted) ||
        All.isLimitedByCallers(Body.function()))
      continue;
    const auto *Lambda =
        dyn_cast_or_null<LambdaExpr>(All.resolve(Body, Callable));
    const FunctionBody *Work =
        Lambda ? coroutines().body(Lambda->getCallOperator()) : nullptr;
    if (!Work)
      continue;
    llvm::SmallVector<const Expr *, 4> Outcomes;
    for (const Expr *Await : Work->suspensions())
      Outcomes.push_back(suspensionOperand(*Await));
    if (!Work->isCoroutine())
      for (const Stmt *Part : Work->statements())
        if (const auto *Return = dyn_cast<ReturnStmt>(Part);
            Return && Return->getRetValue())
          Outcomes.push_back(Return->getRetValue());
    for (const Expr *Outcome : Outcomes) {
      std::optional<Limit> L = freshLimit(*Work, nullptr, Outcome);
      if (!L || All.isCutByDeadline(*Work, nullptr))
        continue;
      Amount Each = All.amount(*L);
      if (Retry.Attempts && Each.High)
        Retry.LimitSum = *Retry.Attempts * *Each.High;
      report({Work, *L, Retry, Call}, {});
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// What an attempt takes when all of its limited steps run out of time.
static std::optional<double> sumOf(Limits &All, const Amount &Each,
                                   ArrayRef<Limit> Others) {
  std::optional<double> Sum = Each.High;
  for (const Limit &Other : Others) {
    std::optional<double> Step = All.amount(Other).High;
    Sum = Sum && Step ? std::optional(*Sum + *Step) : std::nullopt;
  }
  return Sum;
}

std::string UnbudgetedRetryCheck::describe(const Attempt &A, const Amount &Each,
                                           ArrayRef<Attempt> Others) {
  const RetryLoop &R = A.Retry;
  std::string Limit = timeText(Each, A.Limit.Time.E, "its own limit");
  std::string Default = R.ByDefault || Each.ByDefault ? "by default " : "";
  if (!R.Attempts) {
    if (R.OverRange)
      return "each endpoint may take " + Limit + ", one after the other";
    if (R.Capped)
      return Default + "each attempt may take " + Limit;
    return Default + "each attempt may take " + Limit +
           ", and they go on until one succeeds";
  }
  std::string Text = Default + std::to_string(*R.Attempts) +
                     (R.OverRange ? " endpoints" : " attempts");
  if (!R.LimitSum)
    return Text + " of " + Limit + " each";
  llvm::SmallVector<async_tidy::Limit, 2> Steps;
  for (const Attempt &Other : Others)
    Steps.push_back(Other.Limit);
  // An attempt may be several steps; limits may also grow from one to the next.
  for (ArrayRef<async_tidy::Limit> Part :
       {ArrayRef<async_tidy::Limit>(), ArrayRef<async_tidy::Limit>(Steps)}) {
    std::optional<double> One = sumOf(analyses().get<Limits>(), Each, Part);
    if (One && std::abs(*R.LimitSum - *R.Attempts * *One) < 1) {
      Text += (Each.exact() ? " of " : " of up to ") + formatDuration(*One) +
              " each";
      break;
    }
  }
  if (R.Pauses.empty() || R.PauseSum == 0.0)
    return Text + " can take " + formatDuration(*R.LimitSum);
  if (!R.PauseSum)
    return Text + " plus the pauses can take more than " +
           formatDuration(*R.LimitSum);
  return Text + " plus " + formatDuration(*R.PauseSum) +
         " of pauses can take " + formatDuration(*R.LimitSum + *R.PauseSum);
}

/// The named spans of time that the length of \p Pause comes from; of a
/// variable that changes, those that it starts with.
static llvm::SmallVector<AmountOrigin, 2> pauseOrigins(Durations &All,
                                                       const Sleep &Pause) {
  llvm::SmallVector<AmountOrigin, 2> Result;
  if (!Pause.Time.E)
    return Result;
  walkWritten(Pause.Time.E, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return true;
    Amount A = Var->isLocalVarDecl() && !All.isNeverModified(*Var)
                   ? All.initialValue(*Var)
                   : All.fold(Ref);
    for (const AmountOrigin &O : A.Origins)
      if (O.IsDuration && llvm::none_of(Result, [&](const AmountOrigin &Known) {
            return Known.Name == O.Name;
          }))
        Result.push_back(O);
    return true;
  });
  return Result;
}

void UnbudgetedRetryCheck::addTimeline(const Attempt &A, SourceLocation Where) {
  const RetryLoop &R = A.Retry;
  const SourceManager &SM = analyses().ast().getSourceManager();
  const Expr *Pause = R.Pauses.empty() ? nullptr : R.Pauses.front().At;
  bool PauseFirst = Pause && Pause->getBeginLoc() < A.Limit.At->getBeginLoc();
  std::vector<TimeSegment> Segments;
  unsigned Number = 0;
  for (const RetryLoop::Round &Round : R.Rounds) {
    auto AddPause = [&] {
      if (Round.Pause > 0)
        Segments.push_back(makeSegment(TimeSegment::Pause, "pause", Round.Pause,
                                       Pause->getBeginLoc(), SM));
    };
    if (PauseFirst)
      AddPause();
    if (Round.Limit > 0)
      Segments.push_back(makeSegment(
          TimeSegment::Attempt,
          (R.OverRange ? "endpoint " : "attempt ") + std::to_string(++Number),
          Round.Limit, A.Limit.At->getBeginLoc(), SM));
    if (!PauseFirst)
      AddPause();
  }
  if (!Segments.empty())
    async_tidy::addTimeline("async-unbudgeted-retry", Where,
                            std::move(Segments), OuterBudget, SM);
}

void UnbudgetedRetryCheck::report(const Attempt &A, ArrayRef<Attempt> Others) {
  const RetryLoop &R = A.Retry;
  if ((R.Attempts && *R.Attempts < MinAttempts) ||
      (R.OverRange && !EndpointLoops))
    return;
  if (OuterBudget && R.LimitSum && (R.PauseSum || R.Pauses.empty()) &&
      *R.LimitSum + R.PauseSum.value_or(0) <= *OuterBudget)
    return;
  // The setting of a timer says more than the wait for it; what has no end at
  // all is the loop's fault.
  const Expr *At = A.Limit.At;
  if (A.Limit.TimerSet && A.Body->contains(A.Body->body(), A.Limit.TimerSet))
    At = A.Limit.TimerSet;
  bool Endless = !R.Attempts && !R.Capped && R.Loop && !A.HelperCall;
  SourceLocation Where = Endless ? R.Loop->getBeginLoc() : At->getBeginLoc();
  if (!firstReportAt(Where))
    return;
  Amount Each = analyses().get<Limits>().amount(A.Limit);
  {
    auto Diag = diag(Where, "%0; %1 the whole") << describe(A, Each, Others);
    if (OuterBudget)
      Diag << ("more than the " + formatDuration(*OuterBudget) +
               " there are for");
    else
      Diag << "nothing limits";
  }
  addTimeline(A, Where);
  if (Endless)
    diag(At->getBeginLoc(), "the limit of one attempt", DiagnosticIDs::Note);
  else if (A.HelperCall)
    diag(A.HelperCall->getBeginLoc(), "%0 tries again", DiagnosticIDs::Note)
        << calleeText(A.HelperCall);
  else if (R.Loop)
    diag(R.Loop->getBeginLoc(), "the loop that tries again",
         DiagnosticIDs::Note);
  else
    diag(R.SelfCall->getBeginLoc(),
         "the coroutine tries again by calling itself", DiagnosticIDs::Note);
  if (A.Limit.Inside)
    diag(A.Limit.Inside->getBeginLoc(), "the limit is set here",
         DiagnosticIDs::Note);
  noteOrigins(*this, R.AttemptOrigins, R.ByDefault);
  noteOrigins(*this, Each.Origins, Each.ByDefault);
  for (const Attempt &Other : Others) {
    Amount Time = analyses().get<Limits>().amount(Other.Limit);
    diag(Other.Limit.At->getBeginLoc(), "this step of an attempt may take %0",
         DiagnosticIDs::Note)
        << timeText(Time, Other.Limit.Time.E, "its own limit");
  }
  if (R.PauseSum == 0.0)
    return;
  for (const Sleep &Pause : R.Pauses) {
    diag(Pause.At->getBeginLoc(),
         R.PauseSum && R.Pauses.size() == 1
             ? "the pauses between attempts, %0 in all"
             : "a pause between attempts",
         DiagnosticIDs::Note)
        << (R.PauseSum ? formatDuration(*R.PauseSum) : std::string());
    noteOrigins(*this, pauseOrigins(analyses().get<Durations>(), Pause),
                /*ByDefault=*/false);
  }
}

} // namespace clang::tidy::async
