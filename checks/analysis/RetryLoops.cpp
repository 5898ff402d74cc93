//===--- RetryLoops.cpp ---------------------------------------------------===//

#include "RetryLoops.h"
#include "AttemptRun.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxAttempts = 256;

namespace {
/// The counters of a loop: numbers it steps and asks about.
struct Counting {
  bool Any = false;
  /// The constants the counters are compared with.
  llvm::SmallVector<AmountOrigin, 2> Limits;
  bool ByDefault = false;
};
} // namespace

static const ValueDecl *named(const Expr *E) {
  E = stripped(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    return Member->getMemberDecl();
  return nullptr;
}

static Counting countersOf(AnalysisContext &Context, const FunctionBody &Body,
                           const Stmt *Loop) {
  Counting Result;
  llvm::SmallPtrSet<const ValueDecl *, 4> Stepped;
  for (const Stmt *S : Body.statements()) {
    if (!Body.contains(Loop, S))
      continue;
    if (const auto *Unary = dyn_cast<UnaryOperator>(S);
        Unary && Unary->isIncrementDecrementOp())
      Stepped.insert(named(Unary->getSubExpr()));
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
        Op && (Op->getOperator() == OO_PlusPlus ||
               Op->getOperator() == OO_MinusMinus))
      Stepped.insert(named(Op->getArg(0))); // an iterator
    if (const auto *Op = dyn_cast<CompoundAssignOperator>(S))
      Stepped.insert(named(Op->getLHS()));
    // `n = n + 1`
    if (const auto *Op = dyn_cast<BinaryOperator>(S);
        Op && Op->getOpcode() == BO_Assign && Op->getType()->isIntegerType() &&
        named(Op->getLHS()) &&
        mentions(Body, Op->getRHS(), *named(Op->getLHS())))
      Stepped.insert(named(Op->getLHS()));
  }
  Stepped.erase(nullptr);
  auto MentionsCounter = [&](const Expr *E) {
    return llvm::any_of(Stepped, [&](const ValueDecl *V) {
      QualType T = V->getType().getNonReferenceType();
      return (T->isIntegerType() || T->isPointerType() || T->isRecordType()) &&
             mentions(Body, E, *V);
    });
  };
  Durations &D = Context.get<Durations>();
  for (const Stmt *S : Body.statements()) {
    if (!Body.contains(Loop, S))
      continue;
    const auto *If = dyn_cast<IfStmt>(S);
    const Expr *Condition = If ? If->getCond() : loopCondition(*S);
    if (!Condition || !MentionsCounter(Condition))
      continue;
    Result.Any = true;
    auto Take = [&](const Amount &A) {
      Result.ByDefault |= A.ByDefault;
      for (const AmountOrigin &O : A.Origins)
        if (!Stepped.count(O.Name) && !O.IsDuration &&
            Result.Limits.size() < 2 &&
            llvm::none_of(Result.Limits, [&](const AmountOrigin &Known) {
              return Known.Name == O.Name;
            }))
          Result.Limits.push_back(O);
    };
    walkWritten(Condition, [&](const Stmt &Part) {
      if (const auto *Cmp = dyn_cast<BinaryOperator>(&Part);
          Cmp && Cmp->isComparisonOp())
        for (const Expr *Side : {Cmp->getLHS(), Cmp->getRHS()})
          if (!MentionsCounter(Side))
            Take(D.fold(Side));
      return true;
    });
    // A countdown starts at the number of attempts.
    for (const ValueDecl *V : Stepped)
      if (const auto *Var = dyn_cast<VarDecl>(V);
          Var && mentions(Body, Condition, *V))
        Take(D.initialValue(*Var));
  }
  return Result;
}

std::optional<unsigned> sizeOfRange(const CXXForRangeStmt &Range) {
  const Expr *E = Range.getRangeInit();
  E = E ? stripped(E) : nullptr;
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->hasInit() &&
        (Var->getType().isConstQualified() || Var->isConstexpr()))
      if (isa<CXXStdInitializerListExpr>(stripped(Var->getInit())))
        E = stripped(Var->getInit());
  if (const auto *Std = dyn_cast_or_null<CXXStdInitializerListExpr>(E))
    E = stripped(Std->getSubExpr());
  if (!E)
    return std::nullopt;
  QualType T = E->getType().getNonReferenceType();
  if (const auto *Array =
          dyn_cast_or_null<ConstantArrayType>(T->getAsArrayTypeUnsafe()))
    return static_cast<unsigned>(Array->getSize().getZExtValue());
  const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
  if (Spec && Spec->isInStdNamespace() && Spec->getName() == "array" &&
      Spec->getTemplateArgs().size() == 2 &&
      Spec->getTemplateArgs()[1].getKind() == TemplateArgument::Integral)
    return static_cast<unsigned>(
        Spec->getTemplateArgs()[1].getAsIntegral().getZExtValue());
  return std::nullopt;
}

/// The loop asks, before it awaits, whether somebody told it to stop.
static bool asksWhetherToStop(AnalysisContext &Context,
                              const FunctionBody &Body, const Stmt *Loop,
                              const Expr *Await) {
  const SymbolRoles &Roles = Context.roles();
  auto Asks = [&](const Expr *Condition, bool FlagsToo) {
    bool Found = false;
    walkWritten(Condition, [&](const Stmt &Part) {
      const auto *E = dyn_cast<Expr>(&Part);
      if (E && Roles.find(E, Role::CancellationTest))
        Found = true;
      // A flag that is not this function's own.
      const ValueDecl *V =
          isa<DeclRefExpr, MemberExpr>(Part) ? named(E) : nullptr;
      if (FlagsToo && V && !isa<FunctionDecl>(V) &&
          !(isa<VarDecl>(V) && cast<VarDecl>(V)->isLocalVarDecl()) &&
          !V->getType().isConstQualified()) {
        QualType T = V->getType().getNonReferenceType();
        Found |= T->isBooleanType() || T->isRecordType();
      }
      return !Found;
    });
    return Found;
  };
  const Expr *Condition = nullptr;
  const Stmt *Block = nullptr;
  if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    Condition = While->getCond();
    Block = While->getBody();
  } else if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    Condition = For->getCond();
    Block = For->getBody();
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    Condition = Do->getCond();
    Block = Do->getBody();
  }
  if (Condition && Asks(Condition, /*FlagsToo=*/true))
    return true;
  if (const auto *Compound = dyn_cast_or_null<CompoundStmt>(Block))
    for (const Stmt *S : Compound->body()) {
      if (Body.contains(S, Await))
        break;
      if (const auto *If = dyn_cast<IfStmt>(S);
          If && Asks(If->getCond(), /*FlagsToo=*/false))
        return true;
    }
  return false;
}

/// \p Await gives an error, or something that holds one.
static bool resultIsError(AnalysisContext &Context, const Expr &Await) {
  const SymbolRoles &Roles = Context.roles();
  QualType T = Await.getType().getNonReferenceType();
  bool Found = Roles.findType(T, Role::ErrorHolder) ||
               Roles.findType(T, Role::ErrorCode);
  if (const auto *Tuple = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
          T->getAsCXXRecordDecl());
      Tuple && Tuple->isInStdNamespace() && Tuple->getName() == "tuple")
    for (const TemplateArgument &Arg :
         Tuple->getTemplateArgs()[0].pack_elements())
      Found |= Roles.findType(Arg.getAsType(), Role::ErrorCode) != nullptr;
  walkWritten(suspensionOperand(Await), [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    Found |= Ref && Roles.findType(Ref->getType(), Role::ErrorCode);
    return !Found;
  });
  return Found;
}

/// The result of \p Await can say that time ran out.
static bool resultTellsFailure(AnalysisContext &Context,
                               const FunctionBody &Body, const Expr &Await) {
  if (resultIsError(Context, Await))
    return true;
  const Expr *Operand = suspensionOperand(Await);
  bool OwnReport = false;
  for (const Limit &L : Context.get<Limits>().attemptLimits(Body, Operand))
    OwnReport |= L.How == Limit::Argument || L.How == Limit::Race ||
                 L.Through != nullptr;
  QualType T = Await.getType().getNonReferenceType();
  if (T->isVoidType())
    return false;
  if (OwnReport || T->isEnumeralType())
    return true;
  // optional, expected, variant, tuple, Result, StatusOr, …
  return isa_and_nonnull<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
}

std::optional<RetryLoop> RetryLoops::examine(const FunctionBody &Body,
                                             const Stmt *Loop,
                                             const Expr *Await,
                                             const Bindings *Initial) {
  using Run = AttemptRun;
  const Stmt *Region = Loop ? Loop : Body.body();
  Counting Counters = countersOf(Context, Body, Region);
  const auto *Range = dyn_cast_or_null<CXXForRangeStmt>(Loop);

  // Success leaves.
  Run Ok(Context, Body, Loop, Await, /*Succeed=*/true);
  bool Left = false, WentOn = false;
  for (Run::Path &P : Ok.iterate(Ok.start(Initial))) {
    if (!P.S.Reached || P.S.Failed)
      continue;
    Left |= P.F == Run::Leaves;
    if (P.F == Run::Continues) {
      WentOn = true;
      if (P.S.Worked)
        return std::nullopt;
    }
  }
  // A result that is only looked at and then asked for again is a retry as
  // well, provided somebody counts.
  if (Ok.gaveUp() || !Left || (WentOn && !Counters.Any && !Range))
    return std::nullopt;

  // Failure goes round.
  Run Bad(Context, Body, Loop, Await, /*Succeed=*/false);
  Run::State S = Bad.start(Initial);
  bool ByThrow = false, ByValue = false, Uncounted = false;
  for (Run::Path &P : Bad.iterate(S))
    if (P.F == Run::Continues && P.S.Reached && P.S.Failed) {
      (P.S.ByThrow ? ByThrow : ByValue) = true;
      Uncounted |= !P.S.Counted;
    }
  if (Bad.gaveUp())
    return std::nullopt;
  if (!ByThrow &&
      (!ByValue || WentOn || !resultTellsFailure(Context, Body, *Await)))
    return std::nullopt;

  // A failure that the counter does not see can come again for ever.
  if (Uncounted && Loop)
    Counters = Counting();

  RetryLoop Found;
  Found.Loop = Loop;
  Found.SelfCall = Bad.selfCall();
  Found.OverRange = Range != nullptr;
  Found.AfterError = ByThrow || resultIsError(Context, *Await);
  bool Counts = Counters.Any || Range;
  Found.Capped = Counts || Bad.mayEnd();
  Found.AttemptOrigins = Counters.Limits;
  Found.ByDefault = Counters.ByDefault;
  // A recursion counts down its parameters, which have known values by default
  // only.
  if (!Loop && !Initial)
    Found.ByDefault |=
        llvm::any_of(Body.function().parameters(), [](const ParmVarDecl *P) {
          return P->hasDefaultArg() && P->getType()->isIntegerType();
        });
  std::optional<unsigned> Bound = Range ? sizeOfRange(*Range) : std::nullopt;
  unsigned Rounds = Bound ? std::min(*Bound, MaxAttempts) : MaxAttempts;
  if (!Counters.Any && !Bound && Loop)
    Rounds = 1; // nothing would end it
  std::optional<Run::State> End;
  double LimitsBefore = 0, PausesBefore = 0;
  auto AddRound = [&](const Run::State &After) {
    Found.Rounds.push_back(
        {After.Limits - LimitsBefore, After.Pauses - PausesBefore});
    LimitsBefore = After.Limits;
    PausesBefore = After.Pauses;
  };
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    std::optional<Run::State> Next, Last;
    for (Run::Path &P : Bad.iterate(S)) {
      if (!P.S.Reached && P.F == Run::Continues)
        continue;
      std::optional<Run::State> &Slot = P.F == Run::Continues ? Next : Last;
      if (!Slot || P.S.Limits + P.S.Pauses > Slot->Limits + Slot->Pauses)
        Slot = std::move(P.S);
    }
    if (Bad.gaveUp())
      break;
    if (!Next) {
      End = Last;
      if (End)
        AddRound(*End);
      break;
    }
    S = std::move(*Next);
    AddRound(S);
    S.Reached = S.Failed = S.ByThrow = S.Worked = S.Counted = false;
  }
  if (Bound && !End)
    End = S;
  for (const Sleep &Pause : Bad.pauses())
    Found.Pauses.push_back(Pause);
  if (!End || !End->PausesKnown || !End->LimitsKnown)
    Found.Rounds.clear();
  if (End && End->Awaited > 0) {
    Found.Attempts = End->Awaited;
    if (End->PausesKnown)
      Found.PauseSum = End->Pauses;
    if (End->LimitsKnown)
      Found.LimitSum = End->Limits;
  }
  if (Loop && !Counts)
    Found.UntilStopped = asksWhetherToStop(Context, Body, Loop, Await);
  return Found;
}

std::optional<RetryLoop> RetryLoops::around(const FunctionBody &Body,
                                            const Expr *Await,
                                            const Bindings *Initial) {
  if (Body.statements().size() > 5000)
    return std::nullopt;
  unsigned Depth = 0;
  for (const Stmt *Loop = Body.enclosingLoop(Await); Loop && Depth < 4;
       Loop = Body.enclosingLoop(Loop), ++Depth)
    if (std::optional<RetryLoop> Found = examine(Body, Loop, Await, Initial))
      return Found;
  // A coroutine that calls itself.
  const FunctionDecl *Self = Body.function().getCanonicalDecl();
  for (const Stmt *S : Body.statements())
    if (const auto *Call = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *F = Call->getDirectCallee();
          F && F->getCanonicalDecl() == Self && !Body.contains(Await, Call)) {
        std::optional<RetryLoop> Found = examine(Body, nullptr, Await, Initial);
        if (Found && Found->SelfCall)
          return Found;
        break;
      }
  return std::nullopt;
}

bool RetryLoops::isBudgeted(const FunctionBody &Body, const Stmt *Loop) {
  Limits &All = Context.get<Limits>();
  return Context.roles().find(&Body.function(), Role::Budgeted) ||
         All.isCutByDeadline(Body, Loop) ||
         All.isLimitedByCallers(Body.function());
}

std::optional<RetryLoops::Helper> RetryLoops::helper(const FunctionDecl &F) {
  Coroutines &All = Context.get<Coroutines>();
  const FunctionBody *Body = All.body(&F);
  if (!Body || !Body->isCoroutine())
    return std::nullopt;
  auto [It, New] = Helpers.try_emplace(&Body->function());
  if (!New)
    return It->second;
  for (const Expr *Await : Body->suspensions()) {
    if (!Body->enclosingLoop(Await))
      continue;
    int Callable = -1;
    walkWritten(suspensionOperand(*Await), [&](const Stmt &Part) {
      const auto *Call = dyn_cast<CallExpr>(&Part);
      if (!Call)
        return true;
      llvm::SmallVector<const Expr *, 2> Called = {Call->getCallee()};
      if (const Expr *Object = objectOf(*Call))
        Called.push_back(Object);
      if (Call->getNumArgs() > 0 && Call->getDirectCallee() &&
          Call->getDirectCallee()->isInStdNamespace())
        Called.push_back(Call->getArg(0)); // std::invoke
      for (const Expr *E : Called)
        if (const auto *P = dyn_cast_or_null<ParmVarDecl>(named(E)))
          for (unsigned I = 0; I < Body->function().getNumParams(); ++I)
            if (Body->function().getParamDecl(I) == P)
              Callable = int(I);
      return true;
    });
    if (Callable >= 0 && around(*Body, Await)) {
      It->second = Helper{Callable, Await};
      break;
    }
  }
  return It->second;
}

} // namespace async_tidy
