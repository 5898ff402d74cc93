//===--- TimeSums.cpp -----------------------------------------------------===//

#include "TimeSums.h"
#include "Callables.h"
#include "Tokens.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxSteps = 20000;
/// Turns of a counted loop that are worth adding up.
static constexpr double MaxTurns = 1000;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static TimeSum unknown() {
  TimeSum S;
  S.Complete = false;
  return S;
}

static TimeSum after(TimeSum First, const TimeSum &Second) {
  First.Nanoseconds += Second.Nanoseconds;
  First.Complete &= Second.Complete;
  First.Segments.append(Second.Segments.begin(), Second.Segments.end());
  return First;
}

static TimeSum longer(TimeSum A, TimeSum B) {
  bool Complete = A.Complete && B.Complete;
  TimeSum &Longer = B.Nanoseconds > A.Nanoseconds ? B : A;
  Longer.Complete = Complete;
  return std::move(Longer);
}

static void add(std::optional<TimeSum> &To, std::optional<TimeSum> Other) {
  if (!Other)
    return;
  To = To ? longer(std::move(*To), std::move(*Other)) : std::move(*Other);
}

static std::optional<TimeSum> after(const std::optional<TimeSum> &First,
                                    const std::optional<TimeSum> &Second) {
  if (!First || !Second)
    return std::nullopt;
  return after(*First, *Second);
}

static TimeSum times(TimeSum S, unsigned Turns) {
  S.Nanoseconds *= Turns;
  for (TimeStretch &Part : S.Segments) {
    Part.Nanoseconds *= Turns;
    Part.Pauses *= Turns;
    Part.Times *= Turns;
  }
  return S;
}

static TimeSum segment(TimeStretch Part) {
  TimeSum S;
  S.Nanoseconds = Part.Nanoseconds;
  S.Segments.push_back(std::move(Part));
  return S;
}

//===----------------------------------------------------------------------===//
// What is left until a deadline
//===----------------------------------------------------------------------===//

bool TimeSums::isRemainder(const FunctionBody &Body, const TimeExpr &T) {
  const SourceManager &SM = Context.ast().getSourceManager();
  Durations &D = Context.get<Durations>();
  llvm::SmallPtrSet<const ValueDecl *, 4> Seen;
  // A local that is set to a moment and used right away is as good as the
  // moment itself.
  auto IsUsedAtOnce = [&](const VarDecl &Var, const Expr &Use) {
    if (!Var.isLocalVarDecl() || !Var.hasInit() ||
        !Body.isWritten(Var.getInit()) ||
        Body.enclosingLoop(Var.getInit()) != Body.enclosingLoop(&Use))
      return false;
    unsigned Uses = 0;
    for (const Stmt *S : Body.statements())
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S);
          Ref && Ref->getDecl() == &Var)
        ++Uses;
    const Stmt *Full = Body.fullExpression(&Use);
    return Uses == 1 && llvm::none_of(Body.suspensions(), [&](const Expr *S) {
             return SM.isBeforeInTranslationUnit(Var.getInit()->getEndLoc(),
                                                 S->getBeginLoc()) &&
                    !Body.contains(Full, S) &&
                    SM.isBeforeInTranslationUnit(S->getBeginLoc(),
                                                 Use.getBeginLoc());
           });
  };
  std::function<bool(const Expr *, unsigned)> Asks = [&](const Expr *E,
                                                         unsigned Depth) {
    bool Found = false;
    if (!E || Depth > 6)
      return false;
    walkWritten(E, [&](const Stmt &S) {
      const auto *Part = dyn_cast<Expr>(&S);
      const ValueDecl *V = nullptr;
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
        V = Ref->getDecl();
      else if (const auto *Member = dyn_cast<MemberExpr>(&S))
        V = Member->getMemberDecl();
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        if (const FunctionDecl *F = Call->getDirectCallee();
            F && F->getIdentifier() && saysRest(F->getName()))
          Found = true;
      if (!V || isa<FunctionDecl>(V))
        return !Found;
      const auto *Var = dyn_cast<VarDecl>(V);
      if (isPointInTime(Context.roles(), *Part))
        Found |= !Var || !IsUsedAtOnce(*Var, *Part);
      else if (V->getDeclName().isIdentifier() && saysRest(V->getName()))
        Found = true;
      if (Var && Var->isLocalVarDecl() && Var->hasInit() &&
          !Var->getInit()->isValueDependent() && Seen.insert(Var).second)
        Found |= Asks(Var->getInit(), Depth + 1);
      return !Found;
    });
    return Found;
  };
  return T.E && (Asks(T.E, 0) || D.asksNumberClock(T.E));
}

//===----------------------------------------------------------------------===//
// Work that is awaited
//===----------------------------------------------------------------------===//

/// \p Own applies to all of \p E, not just to a part of it.
static bool limitsAll(const Limit &Own, const Expr *E) {
  switch (Own.How) {
  case Limit::Wrapper:
  case Limit::Race:
    return Own.At == E;
  case Limit::Token:
    return llvm::is_contained(Own.Work, E);
  case Limit::Argument:
    return llvm::is_contained(argumentsOf(*E), Own.At);
  }
  return false;
}

TimeSum TimeSums::limited(const Place &At, const Expr *E, const Limit &Own) {
  // What it limits may end sooner by limits of its own.
  TimeSum Inner = unknown();
  if (Own.How == Limit::Token)
    Inner = work(At, E, &Own);
  else if (Own.How == Limit::Argument)
    Inner = call(At, E);
  else if (Own.Work.size() == 1)
    Inner = work(At, Own.Work.front(), nullptr);
  // A body in this file is better known than its parameters.
  if (Own.How == Limit::Argument &&
      Context.get<Coroutines>().body(directCallee(E)))
    return Inner;
  Amount A = Context.get<Limits>().amount(Own, &At.Bound);
  if (!A.Low || *A.Low <= 0 || isRemainder(At.Body, Own.Time))
    return unknown();
  if (Inner.Complete && Inner.Nanoseconds <= *A.Low && !Inner.Segments.empty())
    return Inner;
  TimeStretch Part{TimeStretch::Limited, *A.Low, 1, Own.At, A};
  Part.In = &At.Body;
  TimeSum Sum = segment(std::move(Part));
  Sum.Complete = A.exact(); // else it may be longer
  return Sum;
}

TimeSum TimeSums::work(const Place &At, const Expr *E, const Limit *Skip) {
  Limits &All = Context.get<Limits>();
  const SymbolRoles &Roles = Context.roles();
  E = All.resolve(At.Body, E);
  if (!E || isSuspension(*E) || ++Steps > MaxSteps)
    return unknown();
  if (const auto *Either = dyn_cast<ConditionalOperator>(E))
    return longer(work(At, Either->getTrueExpr(), nullptr),
                  work(At, Either->getFalseExpr(), nullptr));
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    const FunctionBody *Inner =
        Context.get<Coroutines>().body(Lambda->getCallOperator());
    return Inner ? body(*Inner, At.Bound, At.Calls) : unknown();
  }
  if (Roles.find(E, Role::Immediate))
    return {};
  if (!isa<CallExpr, CXXConstructExpr>(E))
    return unknown();
  if (std::optional<Sleep> Pause = All.sleepIn(At.Body, E)) {
    Amount A =
        All.amount(Pause->Time, Pause->TimeInsideWrapper ? nullptr : &At.Bound);
    if (!A.exact() || *A.Low < 0 || isRemainder(At.Body, Pause->Time))
      return unknown();
    TimeStretch Part{TimeStretch::Pause, *A.Low, 1, Pause->At, A};
    Part.In = &At.Body;
    return segment(std::move(Part));
  }
  // What tidies up, must run to its end, or runs beside is not our wait.
  for (Role Kind : {Role::BestEffort, Role::Commit, Role::Budgeted})
    if (Roles.find(E, Kind))
      return unknown();
  const FunctionDecl *F = directCallee(E);
  if ((F && isNamedAsTidyingUp(*F)) || All.shieldAt(At.Body, E))
    return unknown();
  if (const Entry *Gather = Roles.find(E, Role::Gather)) {
    TimeSum Longest;
    llvm::SmallVector<const Expr *, 4> Arms = armsOf(*E);
    for (const Expr *Arm : Arms)
      Longest = longer(std::move(Longest), work(At, Arm, nullptr));
    return Gather && !Arms.empty() ? Longest : unknown();
  }
  for (const Limit &L : All.limitsIn(At.Body, E))
    if ((!Skip || L.At != Skip->At) && limitsAll(L, E) &&
        // Tokens stand one in the other; the outer ones are done with.
        !(Skip && L.How == Limit::Token && !At.Body.contains(Skip->At, L.At)))
      return limited(At, E, L);
  if (Roles.find(E, Role::Race)) {
    // The first arm to end decides, so one without a limit may be it.
    std::optional<TimeSum> Shortest;
    for (const Expr *Arm : armsOf(*E)) {
      TimeSum One = work(At, Arm, nullptr);
      if (!One.Complete)
        return unknown();
      if (!Shortest || One.Nanoseconds < Shortest->Nanoseconds)
        Shortest = std::move(One);
    }
    return Shortest ? std::move(*Shortest) : unknown();
  }
  return call(At, E);
}

/// The parameters of \p Callee as \p Args set them.
static Bindings given(Durations &D, const FunctionDecl &Callee,
                      ArrayRef<const Expr *> Args, const Bindings &Bound) {
  Bindings Given = Bound;
  for (unsigned I = 0; I < Callee.getNumParams(); ++I) {
    const ParmVarDecl *P = Callee.getParamDecl(I);
    QualType T = P->getType().getNonReferenceType();
    if (!T->isArithmeticType() && !isDurationType(T) && !isTimePointType(T))
      continue;
    Given[P] = I < Args.size() ? D.fold(Args[I], &Bound) : Amount::unknown(P);
  }
  return Given;
}

TimeSum TimeSums::call(const Place &At, const Expr *E) {
  Limits &All = Context.get<Limits>();
  const SymbolRoles &Roles = Context.roles();
  const auto *Call = dyn_cast<CallExpr>(E);
  if (Call)
    if (std::optional<TimeSum> Retry = retryHelper(At, *Call))
      return *Retry;
  auto Args = argumentsOf(*E);
  if (const FunctionDecl *F = directCallee(E))
    if (const FunctionBody *Callee = Context.get<Coroutines>().body(F);
        Callee && !Context.ast().getSourceManager().isInSystemHeader(
                      Callee->function().getLocation())) {
      if (At.Calls == 0)
        return unknown();
      return body(
          *Callee,
          given(Context.get<Durations>(), Callee->function(), Args, At.Bound),
          At.Calls - 1);
    }
  // What hands on one thing takes as long as that.
  for (Role Kind : {Role::Spawn, Role::InlineCall, Role::Offload})
    if (const Entry *Model = Roles.find(E, Kind)) {
      if (Model->Detached || Model->Severs)
        return unknown();
      if (const Expr *Callable = Roles.argument(*E, Model->Callable);
          Callable &&
          isa_and_nonnull<LambdaExpr>(All.resolve(At.Body, Callable)))
        return work(At, Callable, nullptr);
    }
  const Expr *Only = nullptr;
  for (const Expr *Arg : Args) {
    if (!isAwaitableType(stripped(Arg)->getType(), Context.ast()))
      continue;
    if (Only)
      return unknown();
    Only = Arg;
  }
  if (Only)
    return work(At, Only, nullptr);
  if (const Expr *Object = objectOf(*E);
      Object && isa<CallExpr>(stripped(Object)) &&
      isAwaitableType(Object->getType(), Context.ast()))
    return work(At, Object, nullptr);
  return unknown();
}

std::optional<TimeSum> TimeSums::retryHelper(const Place &At,
                                             const CallExpr &Call) {
  const SymbolRoles &Roles = Context.roles();
  RetryLoops &Retries = Context.get<RetryLoops>();
  Limits &All = Context.get<Limits>();
  Durations &D = Context.get<Durations>();
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F)
    return std::nullopt;
  auto Args = argumentsOf(Call);
  const Expr *Callable = nullptr;
  std::optional<double> Attempts;
  double Pauses = 0;
  if (std::optional<RetryLoops::Helper> Helper = Retries.helper(*F)) {
    const FunctionBody &Inside = *Context.get<Coroutines>().body(F);
    if (Helper->Callable >= int(Args.size()))
      return unknown();
    Callable = Args[Helper->Callable];
    Bindings Given = given(D, Inside.function(), Args, At.Bound);
    std::optional<RetryLoop> Loop =
        Retries.around(Inside, Helper->Await, &Given);
    if (!Loop || !Loop->Attempts || !Loop->PauseSum ||
        All.isCutByDeadline(Inside, Loop->Loop))
      return unknown();
    Attempts = *Loop->Attempts;
    Pauses = *Loop->PauseSum;
  } else if (const Entry *Model = Roles.find(&Call, Role::Retry)) {
    if (Roles.argument(Call, Model->Budget))
      return unknown();
    Callable = Roles.argument(Call, Model->Callable, [&](const Expr &A) {
      return isa<LambdaExpr>(All.resolve(At.Body, &A));
    });
    if (const Expr *Number = Roles.argument(Call, Model->Attempts))
      Attempts = D.fold(Number, &At.Bound).value();
  } else {
    return std::nullopt;
  }
  if (!Callable || !Attempts || *Attempts < 1 || *Attempts > MaxTurns)
    return unknown();
  TimeSum One = work(At, Callable, nullptr);
  if (One.Segments.empty())
    return unknown();
  TimeStretch Part{TimeStretch::Retried, *Attempts * One.Nanoseconds + Pauses,
                   unsigned(*Attempts), One.Segments.front().At,
                   One.Segments.front().Each};
  Part.Pauses = Pauses;
  Part.Again = &Call;
  Part.In = One.Segments.front().In;
  Part.Chain = One.Segments.front().Chain;
  TimeSum Sum = segment(std::move(Part));
  Sum.Complete = One.Complete;
  return Sum;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

TimeSum TimeSums::body(const FunctionBody &Callee, const Bindings &Bound,
                       unsigned Calls) {
  if (Callee.statements().size() > 3000 || !Busy.insert(&Callee).second)
    return unknown();
  TimeSum Beside;
  Ends E = run({Callee, Bound, Calls, Beside}, Callee.body());
  Busy.erase(&Callee);
  std::optional<TimeSum> Sum = std::move(E.Leaves);
  add(Sum, std::move(E.Falls));
  if (!Sum)
    return unknown();
  Sum = longer(std::move(*Sum), std::move(Beside));
  for (TimeStretch &Part : Sum->Segments)
    Part.Chain.insert(Part.Chain.begin(), &Callee.function());
  return std::move(*Sum);
}

TimeSum TimeSums::expression(const Place &At, const Stmt *S) {
  TimeSum Sum;
  if (!S)
    return Sum;
  if (const auto *Either = dyn_cast<ConditionalOperator>(S))
    return after(expression(At, Either->getCond()),
                 longer(expression(At, Either->getTrueExpr()),
                        expression(At, Either->getFalseExpr())));
  for (const Stmt *Part : writtenChildren(*S))
    Sum = after(std::move(Sum), expression(At, Part));
  if (const Expr *Operand = suspensionOperand(*S)) {
    TimeSum Waited = work(At, Operand, nullptr);
    // What was started before runs at the same time as other things.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Operand))) {
      const Entry *Task = Context.roles().findType(Ref->getType(), Role::Task);
      if (!Task || !Task->Lazy) {
        At.Beside = longer(std::move(At.Beside), std::move(Waited));
        Waited = unknown();
      }
    }
    Sum = after(std::move(Sum), Waited);
  }
  return Sum;
}

TimeSums::Ends TimeSums::runAll(const Place &At, ArrayRef<const Stmt *> Block) {
  Ends All;
  All.Falls = TimeSum();
  for (const Stmt *S : Block) {
    Ends Next = run(At, S);
    add(All.Breaks, after(All.Falls, Next.Breaks));
    add(All.Leaves, after(All.Falls, Next.Leaves));
    All.Falls = after(All.Falls, Next.Falls);
    if (!All.Falls)
      break;
  }
  return All;
}

TimeSums::Ends TimeSums::runSwitch(const Place &At, const SwitchStmt &Switch) {
  TimeSum Begin = expression(At, Switch.getCond());
  Ends All;
  All.Falls = Begin;
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Switch.getBody());
  if (!Block)
    return All;
  // Each label is a beginning, which goes on to the next `break`.
  llvm::SmallVector<const Stmt *, 16> Rest(Block->body());
  for (unsigned I = 0; I < Rest.size(); ++I) {
    if (!isa<SwitchCase>(Rest[I]))
      continue;
    Ends One = runAll(At, ArrayRef<const Stmt *>(Rest).drop_front(I));
    add(All.Falls, after(Begin, One.Falls));
    add(All.Falls, after(Begin, One.Breaks));
    add(All.Leaves, after(Begin, One.Leaves));
  }
  return All;
}

/// The number of turns of a loop that counts to a constant.
std::optional<unsigned> TimeSums::turns(const Place &At, const Stmt &Loop) {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return sizeOfRange(*Range);
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *Declares =
      For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  const auto *Var = Declares && Declares->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declares->getSingleDecl())
                        : nullptr;
  const auto *Test = For && For->getCond()
                         ? dyn_cast<BinaryOperator>(stripped(For->getCond()))
                         : nullptr;
  const auto *Step = For && For->getInc()
                         ? dyn_cast<UnaryOperator>(stripped(For->getInc()))
                         : nullptr;
  auto Names = [&](const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(stripped(E));
    return Ref && Ref->getDecl() == Var;
  };
  if (!Var || !Var->hasInit() || !Test || !Step || !Step->isIncrementOp() ||
      !Names(Step->getSubExpr()) || !Names(Test->getLHS()))
    return std::nullopt;
  Durations &D = Context.get<Durations>();
  std::optional<double> From = D.initialValue(*Var, &At.Bound).value();
  std::optional<double> To = D.fold(Test->getRHS(), &At.Bound).value();
  if (!From || !To)
    return std::nullopt;
  double Turns = *To - *From;
  if (Test->getOpcode() == BO_LE)
    ++Turns;
  else if (Test->getOpcode() != BO_LT && Test->getOpcode() != BO_NE)
    return std::nullopt;
  // A turn that moves the counter is no turn like the others.
  for (const Stmt *S : At.Body.statements()) {
    if (!At.Body.contains(For->getBody(), S))
      continue;
    const auto *Unary = dyn_cast<UnaryOperator>(S);
    const auto *Binary = dyn_cast<BinaryOperator>(S);
    if ((Unary && Unary->isIncrementDecrementOp() &&
         Names(Unary->getSubExpr())) ||
        (Binary && Binary->isAssignmentOp() && Names(Binary->getLHS())))
      return std::nullopt;
  }
  if (Turns < 0 || Turns > MaxTurns)
    return std::nullopt;
  return unsigned(Turns);
}

std::optional<TimeSum> TimeSums::retryLoop(const Place &At, const Stmt &Loop) {
  Limits &All = Context.get<Limits>();
  for (const Expr *Await : At.Body.suspensions()) {
    if (!At.Body.contains(&Loop, Await) ||
        At.Body.enclosingLoop(Await) != &Loop)
      continue;
    auto Limited = All.attemptLimits(At.Body, suspensionOperand(*Await));
    if (Limited.empty())
      continue;
    std::optional<RetryLoop> Retry =
        Context.get<RetryLoops>().around(At.Body, Await, &At.Bound);
    if (!Retry || Retry->Loop != &Loop)
      continue;
    const Limit &L = Limited.front();
    Amount Each = All.amount(L, &At.Bound);
    if (!Retry->Attempts || !Retry->LimitSum || *Retry->LimitSum <= 0 ||
        !(Retry->PauseSum || Retry->Pauses.empty()) || !Each.exact() ||
        !All.isFreshIn(At.Body, &Loop, L) || isRemainder(At.Body, L.Time) ||
        All.isCutByDeadline(At.Body, &Loop))
      return unknown();
    double Pauses = Retry->PauseSum.value_or(0);
    TimeStretch Part{TimeStretch::Retried, *Retry->LimitSum + Pauses,
                     *Retry->Attempts, L.At, Each};
    Part.Each.ByDefault |= Retry->ByDefault;
    Part.Each.Origins.append(Retry->AttemptOrigins);
    Part.Pauses = Pauses;
    Part.Again = &Loop;
    Part.In = &At.Body;
    return segment(std::move(Part));
  }
  return std::nullopt;
}

TimeSums::Ends TimeSums::runLoop(const Place &At, const Stmt &Loop) {
  Ends All;
  if (std::optional<TimeSum> Retry = retryLoop(At, Loop)) {
    All.Falls = *Retry;
    All.Leaves = std::move(Retry);
    return All;
  }
  const Stmt *Init = nullptr, *Block = nullptr;
  bool Endless = false;
  if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
    Init = For->getInit(), Block = For->getBody();
    Endless = !For->getCond();
  } else if (const auto *While = dyn_cast<WhileStmt>(&Loop)) {
    Block = While->getBody();
    Endless = isa<CXXBoolLiteralExpr>(While->getCond()->IgnoreParenImpCasts());
  } else if (const auto *Do = dyn_cast<DoStmt>(&Loop)) {
    Block = Do->getBody();
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop)) {
    Init = Range->getRangeInit(), Block = Range->getBody();
  }
  TimeSum Begin = expression(At, Init);
  Ends Turn = run(At, Block);
  // A turn that breaks or continues ends as well.
  std::optional<TimeSum> One = Turn.Falls;
  add(One, Turn.Breaks);
  std::optional<unsigned> Count = turns(At, Loop);
  if (!Count && One)
    One->Complete = false; // may come again
  if (One && Count)
    One = times(std::move(*One), *Count);
  if (!Endless || Turn.Breaks)
    All.Falls = One ? after(Begin, *One) : Begin;
  if (Turn.Leaves) {
    // The last turn may be the one that leaves.
    TimeSum Last = after(Begin, *Turn.Leaves);
    if (Count && *Count > 1 && Turn.Falls)
      Last = after(after(Begin, times(*Turn.Falls, *Count - 1)), *Turn.Leaves);
    All.Leaves = std::move(Last);
  }
  return All;
}

TimeSums::Ends TimeSums::run(const Place &At, const Stmt *S) {
  Ends All;
  if (!S || ++Steps > MaxSteps) {
    All.Falls = S ? unknown() : TimeSum();
    return All;
  }
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    llvm::SmallVector<const Stmt *, 16> Parts(Block->body());
    return runAll(At, Parts);
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    TimeSum Begin =
        after(expression(At, If->getInit()),
              after(expression(At, If->getConditionVariableDeclStmt()),
                    expression(At, If->getCond())));
    for (const Stmt *Branch : {If->getThen(), If->getElse()}) {
      Ends One = run(At, Branch);
      add(All.Falls, after(Begin, One.Falls));
      add(All.Breaks, after(Begin, One.Breaks));
      add(All.Leaves, after(Begin, One.Leaves));
    }
    return All;
  }
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return runLoop(At, *S);
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return runSwitch(At, *Switch);
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return run(At, Case->getSubStmt());
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return run(At, Label->getSubStmt());
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return run(At, Attributed->getSubStmt());
  if (const auto *Try = dyn_cast<CXXTryStmt>(S)) {
    All = run(At, Try->getTryBlock());
    // At the latest, all of it has passed when it fails.
    std::optional<TimeSum> Tried = All.Falls;
    add(Tried, All.Leaves);
    add(Tried, All.Breaks);
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I) {
      Ends Handled = run(At, Try->getHandler(I)->getHandlerBlock());
      add(All.Falls, after(Tried, Handled.Falls));
      add(All.Breaks, after(Tried, Handled.Breaks));
      add(All.Leaves, after(Tried, Handled.Leaves));
    }
    return All;
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    // A plain function hands on what its caller waits for.
    const Expr *Value = Return->getRetValue();
    All.Leaves = Value && !At.Body.isCoroutine() ? work(At, Value, nullptr)
                                                 : expression(At, Value);
    return All;
  }
  if (const auto *Return = dyn_cast<CoreturnStmt>(S)) {
    All.Leaves = expression(At, Return->getOperand());
    return All;
  }
  if (isa<BreakStmt, ContinueStmt, GotoStmt>(S)) {
    All.Breaks = TimeSum();
    return All;
  }
  TimeSum Sum = expression(At, S);
  if (const auto *E = dyn_cast<Expr>(S); E && isa<CXXThrowExpr>(stripped(E)))
    All.Leaves = std::move(Sum);
  else
    All.Falls = std::move(Sum);
  return All;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

TimeSum TimeSums::under(const FunctionBody &Body, const Limit &L,
                        const Expr *Work, unsigned MaxCalls) {
  Steps = 0;
  Busy.clear();
  Bindings None;
  TimeSum Beside;
  return work({Body, None, MaxCalls, Beside}, Work,
              L.How == Limit::Token ? &L : nullptr);
}

TimeSum TimeSums::of(const FunctionBody &F, unsigned MaxCalls) {
  Steps = 0;
  Busy.clear();
  Bindings None;
  return body(F, None, MaxCalls);
}

} // namespace async_tidy
