//===--- Limits.cpp -------------------------------------------------------===//

#include "Limits.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// Small questions
//===----------------------------------------------------------------------===//

bool isPointInTime(const SymbolRoles &Roles, const Expr &E) {
  for (QualType T : {E.getType(), stripped(&E)->getType()})
    if (isTimePointType(T) || Roles.findType(T, Role::Deadline))
      return true;
  return false;
}

static bool isSpan(const Expr &E) {
  return isDurationType(E.getType()) || isDurationType(stripped(&E)->getType());
}

/// The variable or member \p E names, else null.
static const ValueDecl *namedBy(const Expr *E) {
  E = stripped(E);
  while (E) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = stripped(Unary->getSubExpr());
    } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
               Op && (Op->getOperator() == OO_Star ||
                      Op->getOperator() == OO_Arrow)) {
      E = stripped(Op->getArg(0));
    } else {
      break;
    }
  }
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    return Member->getMemberDecl();
  return nullptr;
}

bool mentions(const FunctionBody &Body, const Stmt *In, const ValueDecl &D) {
  bool Found = false;
  walkWritten(In, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    Found |= Ref && Ref->getDecl() == &D;
    return !Found;
  });
  return Found;
}

bool saysRest(llvm::StringRef Name) {
  std::string Lower = Name.lower();
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{"remain", "time_left", "timeleft",
                                             "left_", "_left", "budget"},
      [&](llvm::StringRef Word) {
        return llvm::StringRef(Lower).contains(Word);
      });
}

static bool saysOver(llvm::StringRef Name) {
  std::string Lower = Name.lower();
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{
          "expired", "exhausted", "deadline", "budget", "out_of_time",
          "outoftime", "time_is_up", "timeisup"},
      [&](llvm::StringRef Word) {
        return llvm::StringRef(Lower).contains(Word);
      });
}

/// \p E is default constructed: an empty token, a deadline that is left open.
static bool isMadeEmpty(const Expr *E) {
  E = stripped(E);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return llvm::all_of(Construct->arguments(), [](const Expr *A) {
      return isa<CXXDefaultArgExpr>(A);
    });
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->isLocalVarDecl() && Var->hasInit())
      return isMadeEmpty(Var->getInit());
  return isa<CXXScalarValueInitExpr>(E);
}

/// The unit of a number parameter that says so in its name (`timeout_ms`).
static double unitInName(llvm::StringRef Name) {
  std::string Text = Name.rtrim('_').str();
  llvm::StringRef S(Text);
  if (S.ends_with("_ms") || S.ends_with("Ms") || S.ends_with("MS") ||
      S.ends_with_insensitive("millis") ||
      S.ends_with_insensitive("milliseconds"))
    return 1e6;
  if (S.ends_with("_us") || S.ends_with("Us") ||
      S.ends_with_insensitive("microseconds"))
    return 1e3;
  if (S.ends_with("_s") || S.ends_with("_sec") || S.ends_with("_secs") ||
      S.ends_with("Sec") || S.ends_with("Secs") ||
      S.ends_with_insensitive("seconds"))
    return 1e9;
  return 0;
}

const Expr *Limits::resolve(const FunctionBody &Body, const Expr *E) {
  for (unsigned Step = 0; Step < 4 && E; ++Step) {
    E = stripped(E);
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || isa<ParmVarDecl>(Var) || !Var->isLocalVarDecl() ||
        !Var->hasInit() ||
        !Var->getType().getNonReferenceType()->isRecordType())
      return E;
    const Expr *Init = stripped(Var->getInit());
    if (!isa<CallExpr, LambdaExpr, ConditionalOperator>(Init) &&
        !Context.roles().find(Init, Role::Timeout))
      return E;
    E = Init;
  }
  return E;
}

TimeExpr Limits::timeArgument(const Expr &Call, const Entry &Model) {
  const SymbolRoles &Roles = Context.roles();
  double Unit = Model.NumberUnit;
  if (const Expr *E = Roles.argument(Call, Model.Deadline, [&](const Expr &A) {
        return isPointInTime(Roles, A);
      }))
    return {E, Unit, true};
  if (const Expr *E = Roles.argument(Call, Model.Duration, [&](const Expr &A) {
        return isSpan(A) ||
               (Unit != 0 && stripped(&A)->getType()->isArithmeticType());
      }))
    return {E, Unit, false};
  // Types nobody has described, e.g. a library's own duration class.
  auto Plausible = [&](const Expr &A) {
    return !isa<LambdaExpr>(stripped(&A)) &&
           !isAwaitableType(A.getType(), Context.ast());
  };
  if (const Expr *E = Roles.argument(Call, Model.Duration, Plausible))
    return {E, Unit, false};
  if (const Expr *E = Roles.argument(Call, Model.Deadline, Plausible))
    return {E, Unit, true};
  return {};
}

//===----------------------------------------------------------------------===//
// Sleeps
//===----------------------------------------------------------------------===//

std::optional<Sleep> Limits::timerWait(const FunctionBody &Body,
                                       const Expr &Call) {
  const SymbolRoles &Roles = Context.roles();
  Sleep Found{&Call, {}};
  const Expr *Object = objectOf(Call);
  if (!Object)
    return Found;
  auto Set = [&](const Expr &Setup, const Entry &Model) {
    Found.Time = timeArgument(Setup, Model);
    Found.TimerSet = &Setup;
  };
  // A temporary timer carries its time with it.
  if (const Entry *Model = Roles.find(stripped(Object), Role::TimerSetup)) {
    Set(*stripped(Object), *Model);
    return Found;
  }
  const ValueDecl *Timer = namedBy(Object);
  if (!Timer)
    return Found;
  if (const auto *Var = dyn_cast<VarDecl>(Timer); Var && Var->hasInit())
    if (const Expr *Init = stripped(Var->getInit()))
      if (const Entry *Model = Roles.find(Init, Role::TimerSetup))
        Set(*Init, *Model);
  // The last setting before the wait; if none, one later in the loop.
  const SourceManager &SM = Context.ast().getSourceManager();
  const Expr *Last = nullptr;
  for (const Stmt *S : Body.statements()) {
    const auto *Setup = dyn_cast<CallExpr>(S);
    const Entry *Model = Setup ? Roles.find(Setup, Role::TimerSetup) : nullptr;
    if (!Model || !objectOf(*Setup) || namedBy(objectOf(*Setup)) != Timer)
      continue;
    bool Before =
        SM.isBeforeInTranslationUnit(Setup->getBeginLoc(), Call.getBeginLoc());
    if (!Before && (Last || Found.TimerSet))
      continue;
    Last = Setup;
    Set(*Setup, *Model);
  }
  return Found;
}

std::optional<Sleep> Limits::sleepIn(const FunctionBody &Body,
                                     const Expr *Awaited) {
  const SymbolRoles &Roles = Context.roles();
  const Expr *E = resolve(Body, Awaited);
  for (unsigned Step = 0; Step < 4 && E; ++Step) {
    if (const Entry *Model = Roles.find(E, Role::Sleep))
      return Sleep{E, timeArgument(*E, *Model)};
    if (Roles.find(E, Role::TimerWait))
      return timerWait(Body, *E);
    const auto *Call = dyn_cast<CallExpr>(E);
    if (!Call)
      return std::nullopt;
    if (const FunctionDecl *F = Call->getDirectCallee()) {
      const Summary &S = summary(*F);
      if (S.AsSleep) {
        Sleep Found = *S.AsSleep;
        Found.At = Call;
        Found.TimerSet = nullptr;
        auto Args = argumentsOf(*Call);
        if (S.SleepParam >= 0 && S.SleepParam < int(Args.size()))
          Found.Time.E = Args[S.SleepParam];
        else
          Found.TimeInsideWrapper = true;
        return Found;
      }
    }
    // Adapters: `as_value(sleep(d))`, `sleep(d).then(...)`.
    const Expr *Next = nullptr;
    if (const Entry *Model = Roles.find(E, Role::ToValue))
      Next = Roles.argument(*E, Model->Awaitable);
    if (!Next && objectOf(*E) && isa<CallExpr>(stripped(objectOf(*E))))
      Next = objectOf(*E);
    E = Next ? resolve(Body, Next) : nullptr;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

llvm::SmallVector<const Expr *, 8> outcomesOf(const FunctionBody &Body) {
  llvm::SmallVector<const Expr *, 8> Outcomes;
  for (const Expr *Await : Body.suspensions())
    Outcomes.push_back(suspensionOperand(*Await));
  if (!Body.isCoroutine())
    for (const Stmt *S : Body.statements())
      if (const auto *Return = dyn_cast<ReturnStmt>(S);
          Return && Return->getRetValue())
        Outcomes.push_back(Return->getRetValue());
  return Outcomes;
}

llvm::SmallVector<const Expr *, 4> armsOf(const Expr &Call) {
  llvm::SmallVector<const Expr *, 4> Arms;
  for (const Expr *Arg : argumentsOf(Call)) {
    const Expr *List = stripped(Arg);
    if (const auto *Std = dyn_cast<CXXStdInitializerListExpr>(List))
      List = stripped(Std->getSubExpr());
    if (const auto *Init = dyn_cast<InitListExpr>(List))
      for (const Expr *Item : Init->inits())
        Arms.push_back(Item);
    else
      Arms.push_back(Arg);
  }
  return Arms;
}

llvm::SmallVector<Limit, 2> Limits::limitsIn(const FunctionBody &Body,
                                             const Expr *Awaited) {
  llvm::SmallVector<Limit, 2> Found;
  collect(Body, Awaited, 0, Found);
  return Found;
}

llvm::SmallVector<Limit, 2> Limits::attemptLimits(const FunctionBody &Body,
                                                  const Expr *Awaited) {
  llvm::SmallVector<Limit, 2> Found = limitsIn(Body, Awaited);
  const Expr *E = resolve(Body, Awaited);
  for (unsigned Step = 0; Step < 4 && E && Found.empty(); ++Step) {
    auto Args = argumentsOf(*E);
    const auto *Call = dyn_cast<CallExpr>(E);
    // A callable that was passed in is judged where it was made.
    const Expr *Object = objectOf(*E);
    if (Object && isa_and_nonnull<ParmVarDecl>(namedBy(Object)) &&
        isa<CXXOperatorCallExpr>(E))
      break;
    if (const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr)
      if (const Summary &S = summary(*F);
          S.AsLimited && S.LimitedTimeParam < int(Args.size())) {
        Limit L = *S.AsLimited;
        L.Inside = L.At;
        L.How = Limit::Wrapper;
        L.At = E;
        L.Through = F;
        L.TimerSet = nullptr;
        L.Work.clear();
        L.TimeInsideWrapper = S.LimitedTimeParam < 0;
        if (!L.TimeInsideWrapper)
          L.Time.E = Args[S.LimitedTimeParam];
        Found.push_back(std::move(L));
        break;
      }
    // Adapters: `co_awaitTry(once())`.
    const Expr *Next = nullptr;
    for (const Expr *Arg : Args)
      if (!Next && isAwaitableType(stripped(Arg)->getType(), Context.ast()))
        Next = Arg;
    E = Next ? resolve(Body, Next) : nullptr;
    if (E && isSuspension(*E))
      break;
  }
  return Found;
}

/// Completion tokens may be nested and bound to variables.
void Limits::collectTokens(const FunctionBody &Body, const Expr *Call,
                           const Expr *E, unsigned Depth,
                           llvm::SmallVectorImpl<Limit> &Out) {
  E = resolve(Body, E);
  if (!E || Depth > 4)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    // A token may be made once, outside the coroutine.
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    const Expr *Init = Var ? Var->getAnyInitializer() : nullptr;
    if (Init && !Init->isValueDependent() && isa<CallExpr>(stripped(Init)))
      collectTokens(Body, Call, Init, Depth + 1, Out);
    return;
  }
  if (const Entry *Model = Context.roles().find(E, Role::TimeoutToken)) {
    Limit L{Limit::Token, E, timeArgument(*E, *Model), {}};
    L.Work.push_back(Call);
    L.Model = Model;
    Out.push_back(std::move(L));
  }
  // Awaitables among the arguments are not tokens and have limits of their own.
  if (!isa<CallExpr, CXXConstructExpr>(E) ||
      (Depth == 0 && isAwaitableType(E->getType(), Context.ast()) &&
       !Context.roles().find(E, Role::ToValue)))
    return;
  for (const Expr *Arg : argumentsOf(*E))
    collectTokens(Body, Call, Arg, Depth + 1, Out);
  if (const Expr *Object = objectOf(*E))
    collectTokens(Body, Call, Object, Depth + 1, Out);
}

void Limits::collect(const FunctionBody &Body, const Expr *E, unsigned Depth,
                     llvm::SmallVectorImpl<Limit> &Out) {
  const SymbolRoles &Roles = Context.roles();
  E = resolve(Body, E);
  if (!E || Depth > 8 || Out.size() >= 8 || isSuspension(*E))
    return;
  if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    collect(Body, Either->getTrueExpr(), Depth + 1, Out);
    collect(Body, Either->getFalseExpr(), Depth + 1, Out);
    return;
  }
  if (!isa<CallExpr, CXXConstructExpr>(E))
    return;
  const Expr *Object = objectOf(*E);
  auto Args = argumentsOf(*E);

  if (const Entry *Model = Roles.find(E, Role::Timeout)) {
    Limit L{Limit::Wrapper, E, timeArgument(*E, *Model), {}};
    L.Model = Model;
    const Expr *Work = Roles.argument(*E, Model->Awaitable, [&](const Expr &A) {
      return &A != L.Time.E && (!isSpan(A) && !isPointInTime(Roles, A) &&
                                !stripped(&A)->getType()->isArithmeticType());
    });
    if (!Work)
      Work = Roles.argument(*E, Model->Callable);
    if (!Work && Model->Awaitable.empty())
      Work = Object;
    if (Work)
      L.Work.push_back(Work);
    Out.push_back(std::move(L));
    if (Work)
      collect(Body, Work, Depth + 1, Out);
    return;
  }

  if (const Entry *Model = Roles.find(E, Role::Race)) {
    llvm::SmallVector<const Expr *, 4> Arms = armsOf(*E);
    // `a || b || timer` is a race whose first arm is a race.
    Limit L{Limit::Race, E, {}, {}};
    L.Model = Model;
    bool HasTimer = false;
    for (const Expr *Arm : Arms) {
      if (std::optional<Sleep> Timer = sleepIn(Body, Arm)) {
        HasTimer = true;
        L.Time = Timer->Time;
        L.TimerSet = Timer->TimerSet;
        L.TimeInsideWrapper = Timer->TimeInsideWrapper;
      } else {
        L.Work.push_back(Arm);
      }
    }
    llvm::SmallVector<const Expr *, 2> Work = L.Work;
    if (HasTimer && !Work.empty())
      Out.push_back(std::move(L));
    for (const Expr *Arm : Work)
      collect(Body, Arm, Depth + 1, Out);
    return;
  }

  if (Roles.find(E, Role::Sleep) || Roles.find(E, Role::TimerWait))
    return;

  const FunctionDecl *F = nullptr;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    F = Call->getDirectCallee();
  if (F) {
    const Summary &S = summary(*F);
    if (S.AsTimeout && S.WorkParam < int(Args.size())) {
      Limit L = *S.AsTimeout;
      L.How = Limit::Wrapper;
      L.At = E;
      L.Through = F;
      L.TimerSet = nullptr;
      L.Work = {Args[S.WorkParam]};
      if (S.TimeParam >= 0 && S.TimeParam < int(Args.size()))
        L.Time.E = Args[S.TimeParam];
      else
        L.TimeInsideWrapper = true;
      Out.push_back(std::move(L));
      collect(Body, Args[S.WorkParam], Depth + 1, Out);
      return;
    }
  }

  unsigned Before = Out.size();
  for (const Expr *Arg : Args)
    collectTokens(Body, E, Arg, 0, Out);
  // A time given to the awaited function itself, as its model says.
  if (F && Out.size() == Before)
    for (const Entry *Model : Roles.entries(E)) {
      if (Model->Kind != Role::Acquire && Model->Kind != Role::ExternalIo)
        continue;
      auto IsTime = [&](const Expr &A) {
        return !isa<CXXDefaultArgExpr>(&A) &&
               (isSpan(A) || (Model->NumberUnit != 0 &&
                              stripped(&A)->getType()->isArithmeticType()));
      };
      const Expr *Arg = Roles.argument(*E, Model->Duration, IsTime);
      if (!Arg || isa<CXXDefaultArgExpr>(Arg) || !IsTime(*Arg))
        continue;
      TimeExpr Time{Arg, Model->NumberUnit, false};
      // Zero and less stand for no limit, or for no wait at all.
      if (Amount A = amount(Time); A.High && *A.High <= 0)
        continue;
      Out.push_back({Limit::Argument, Arg, Time, {}});
      break;
    }
  // The same, as its parameters say.
  if (F && Out.size() == Before && isAwaitableType(E->getType(), Context.ast()))
    for (unsigned I = 0; I < Args.size() && I < F->getNumParams(); ++I) {
      const Expr *Arg = Args[I];
      if (isa<CXXDefaultArgExpr>(Arg))
        continue;
      std::string Name = F->getParamDecl(I)->getName().lower();
      bool Named = llvm::StringRef(Name).contains("timeout") ||
                   llvm::StringRef(Name).contains("time_out") ||
                   llvm::StringRef(Name).contains("time_limit") ||
                   llvm::StringRef(Name).contains("timelimit") ||
                   llvm::StringRef(Name).contains("max_wait");
      TimeExpr Time{Arg};
      if (isPointInTime(Roles, *Arg))
        Time.Absolute = true;
      else if (Named && stripped(Arg)->getType()->isArithmeticType())
        Time.NumberUnit = unitInName(F->getParamDecl(I)->getName());
      else if (!Named || !isSpan(*Arg))
        continue;
      if (!Time.Absolute && !isSpan(*Arg) && Time.NumberUnit == 0)
        continue;
      // This moment is a time stamp, and `{}` stands for no limit.
      if (Amount A = amount(Time); isMadeEmpty(Arg) || (A.High && *A.High <= 0))
        continue;
      Out.push_back({Limit::Argument, Arg, Time, {}});
    }

  for (const Expr *Arg : Args)
    if (isAwaitableType(stripped(Arg)->getType(), Context.ast()))
      collect(Body, Arg, Depth + 1, Out);
  if (Object && (isa<CallExpr>(stripped(Object)) ||
                 isAwaitableType(Object->getType(), Context.ast())))
    collect(Body, Object, Depth + 1, Out);
}

llvm::SmallVector<Limit, 2> Limits::enclosing(const FunctionBody &Body,
                                              const Expr *E) {
  llvm::SmallVector<Limit, 2> Found;
  const Expr *Root = E;
  const Stmt *P = Body.parent(E);
  for (; P && isa<Expr>(P) && !isSuspension(*P); P = Body.parent(P))
    Root = cast<Expr>(P);
  for (Limit &L : limitsIn(Body, Root))
    if (llvm::any_of(L.Work,
                     [&](const Expr *Work) { return Body.contains(Work, E); }))
      Found.push_back(std::move(L));
  if (!Found.empty())
    return Found;
  // Through the variable it initialises.
  const auto *Declares = dyn_cast_or_null<DeclStmt>(P);
  if (!Declares)
    return Found;
  for (const Decl *D : Declares->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasInit() || !Body.contains(Var->getInit(), E) ||
        stripped(Var->getInit()) != stripped(E))
      continue;
    for (const Stmt *S : Body.statements()) {
      const auto *Ref = dyn_cast<DeclRefExpr>(S);
      if (!Ref || Ref->getDecl() != Var)
        continue;
      auto Outer = enclosing(Body, Ref);
      Found.append(Outer.begin(), Outer.end());
    }
  }
  return Found;
}

bool Limits::isLimitedByCallers(const FunctionDecl &F) {
  return isLimitedByCallers(F, 0);
}

bool Limits::isLimitedByCallers(const FunctionDecl &F, unsigned Depth) {
  Coroutines &All = Context.get<Coroutines>();
  unsigned Limited = 0;
  for (const FunctionUse &Use : All.uses(F)) {
    const FunctionBody *In = Use.In ? All.body(Use.In) : nullptr;
    if (!In)
      return false;
    if (&In->function() == &F)
      continue;
    bool Here = !enclosing(*In, Use.Where).empty();
    if (!Here && (Use.How == FunctionUse::Spawned || Depth >= 4 ||
                  !isLimitedByCallers(In->function(), Depth + 1)))
      return false;
    ++Limited;
  }
  return Limited > 0;
}

//===----------------------------------------------------------------------===//
// The user's own wrappers
//===----------------------------------------------------------------------===//

static bool isCallable(const CXXRecordDecl &Class, ASTContext &Context) {
  DeclarationName Call = Context.DeclarationNames.getCXXOperatorName(OO_Call);
  return Class.hasDefinition() &&
         (Class.hasMemberName(Call) ||
          llvm::any_of(Class.bases(), [&](const CXXBaseSpecifier &Base) {
            const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
            return Of && isCallable(*Of, Context);
          }));
}

/// A \p T can be awaited, or called to give something to await; a socket is not
/// the work that is done with it.
static bool isWork(QualType T, ASTContext &Context) {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && (isAwaitableType(T, Context) || isCallable(*Class, Context));
}

/// Position of the parameter of \p F that \p E, work that is passed on, comes
/// from: the parameter itself, or what calling it returns.
static int workParameter(const FunctionBody &Body, const Expr *E,
                         ASTContext &Context) {
  const FunctionDecl &F = Body.function();
  for (unsigned I = 0; I < F.getNumParams(); ++I) {
    const ParmVarDecl *P = F.getParamDecl(I);
    if (isDurationType(P->getType()) || isTimePointType(P->getType()) ||
        !isWork(P->getType().getNonReferenceType(), Context))
      continue;
    const Expr *Work = stripped(E);
    for (unsigned Step = 0; Step < 4 && Work; ++Step) {
      const auto *Ref = dyn_cast<DeclRefExpr>(Work);
      if (Ref && Ref->getDecl() == P)
        return int(I);
      const auto *Call = dyn_cast<CallExpr>(Work);
      if (!Call)
        break;
      // `op()`, `std::invoke(op)`, `spawn(executor, op(), token)`.
      const Expr *Next = nullptr;
      if (const Expr *Object = objectOf(*Call);
          Object && mentions(Body, Object, *P))
        Next = Object;
      for (const Expr *Arg : argumentsOf(*Call))
        if (!Next && mentions(Body, Arg, *P))
          Next = Arg;
      Work = Next ? stripped(Next) : nullptr;
    }
  }
  return -1;
}

static int parameterNamedBy(const FunctionBody &Body, const Expr *E) {
  // A conversion between durations changes no time.
  while (const auto *Convert =
             dyn_cast_or_null<CXXConstructExpr>(E ? stripped(E) : nullptr)) {
    if (Convert->getNumArgs() != 1 ||
        !(isSpan(*Convert) || isTimePointType(Convert->getType())))
      break;
    E = Convert->getArg(0);
  }
  const auto *P = dyn_cast_or_null<ParmVarDecl>(E ? namedBy(E) : nullptr);
  if (!P)
    return -1;
  for (unsigned I = 0; I < Body.function().getNumParams(); ++I)
    if (Body.function().getParamDecl(I) == P)
      return int(I);
  return -1;
}

/// A function that waits for one thing, under a limit, and lets its caller
/// know when time runs out.
void Limits::findLimited(const FunctionBody &Body,
                         llvm::ArrayRef<const Expr *> Outcomes, Summary &S) {
  const Expr *Only = nullptr;
  for (const Expr *Outcome : Outcomes) {
    const Expr *E = resolve(Body, Outcome);
    if (!isa<CallExpr, CXXConstructExpr>(E) ||
        Context.roles().find(E, Role::Immediate))
      continue;
    if (Only)
      return;
    Only = Outcome;
  }
  if (!Only || Body.enclosingLoop(Only))
    return;
  // A handler may turn the failure into anything.
  for (const Stmt *P = Body.parent(Only); P; P = Body.parent(P))
    if (isa<CXXTryStmt>(P))
      return;
  auto Found = limitsIn(Body, Only);
  if (Found.empty() || Found.front().TimeInsideWrapper)
    return;
  const Limit &L = Found.front();
  int Parameter = parameterNamedBy(Body, L.Time.E);
  if (Parameter < 0 && (!amount(L).High || !isFreshIn(Body, nullptr, L)))
    return;
  S.AsLimited = L;
  S.LimitedTimeParam = Parameter;
}

const Limits::Summary &Limits::summary(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  static const Summary Nothing;
  const FunctionBody *Body =
      F.hasBody(Definition) ? Context.get<Coroutines>().body(&F) : nullptr;
  if (!Body || Body->statements().size() > 600 ||
      Context.ast().getSourceManager().isInSystemHeader(
          Definition->getLocation()))
    return Nothing;
  auto [It, New] = Summaries.try_emplace(Definition);
  Summary &S = It->second;
  if (!New)
    return S.Busy ? Nothing : S;
  S.Busy = true;
  llvm::SmallVector<const Expr *, 4> Outcomes;
  for (const Expr *Await : Body->suspensions())
    Outcomes.push_back(suspensionOperand(*Await));
  if (!Body->isCoroutine())
    for (const Stmt *Part : Body->statements())
      if (const auto *Return = dyn_cast<ReturnStmt>(Part))
        if (Return->getRetValue() &&
            isAwaitableType(Return->getRetValue()->getType(), Context.ast()))
          Outcomes.push_back(Return->getRetValue());

  unsigned Sleeps = 0, Others = 0;
  const Expr *ShieldsRest = nullptr;
  const Entry *RestShield = nullptr;
  for (const Expr *Outcome : Outcomes) {
    const Stmt *Loop = Body->enclosingLoop(Outcome);
    for (Limit &L : limitsIn(*Body, Outcome)) {
      if (Loop || L.Work.empty() || S.AsTimeout)
        continue;
      int Work = -1;
      for (const Expr *E : L.Work)
        if (Work < 0)
          Work = workParameter(*Body, resolve(*Body, E), Context.ast());
      if (Work < 0)
        continue;
      S.WorkParam = Work;
      S.TimeParam = parameterNamedBy(*Body, L.Time.E);
      S.AsTimeout = L;
    }
    if (std::optional<Sleep> Pause = sleepIn(*Body, Outcome)) {
      ++Sleeps;
      if (!Loop && !S.AsSleep) {
        S.AsSleep = Pause;
        S.SleepParam = parameterNamedBy(*Body, Pause->Time.E);
      }
      continue;
    }
    const Expr *E = resolve(*Body, Outcome);
    if (std::optional<Shield> Made = shieldAt(*Body, E)) {
      if (!Made->Work) {
        ShieldsRest = E;
        RestShield = Made->Model;
      } else if (int P = workParameter(*Body, resolve(*Body, Made->Work),
                                       Context.ast());
                 P >= 0 && limitsIn(*Body, Made->Work).empty()) {
        S.AsShield = Made->Model;
        S.ShieldInside = E;
        S.ShieldParam = P;
      }
    } else if (ShieldsRest && limitsIn(*Body, Outcome).empty()) {
      if (int P = workParameter(*Body, E, Context.ast()); P >= 0) {
        S.AsShield = RestShield;
        S.ShieldInside = ShieldsRest;
        S.ShieldParam = P;
      }
    }
    // `co_await this_coro::executor` and the like wait for nobody.
    if (isa<CallExpr>(E) && !Context.roles().find(E, Role::Immediate))
      ++Others;
  }
  if (Sleeps == 0 || Others > 0 || S.AsTimeout)
    S.AsSleep.reset();
  if (!S.AsTimeout && Sleeps == 0)
    findLimited(*Body, Outcomes, S);
  S.Busy = false;
  return S;
}

//===----------------------------------------------------------------------===//
// Shields
//===----------------------------------------------------------------------===//

std::optional<Shield> Limits::shieldAt(const FunctionBody &Body,
                                       const Expr *E) {
  const SymbolRoles &Roles = Context.roles();
  E = stripped(E);
  if (!E || !isa<CallExpr, CXXConstructExpr>(E))
    return std::nullopt;
  // A body in this file is better known than its name.
  if (const auto *Call = dyn_cast<CallExpr>(E))
    if (const FunctionDecl *F = Call->getDirectCallee()) {
      const Summary &S = summary(*F);
      auto Args = argumentsOf(*E);
      if (S.AsShield && S.ShieldParam < int(Args.size()))
        return Shield{E, Args[S.ShieldParam], S.AsShield, S.ShieldInside};
    }
  for (const Entry *Model : Roles.entries(E)) {
    bool Severing = Model->Severs && (Model->Kind == Role::Timeout ||
                                      Model->Kind == Role::Spawn ||
                                      Model->Kind == Role::ToValue);
    if (Model->Kind != Role::Shield && !Severing)
      continue;
    const Expr *Token = Roles.argument(*E, Model->Token);
    const Expr *Work = Roles.argument(*E, Model->Awaitable);
    if (!Work)
      Work = Roles.argument(*E, Model->Callable);
    if (Severing) {
      if (Token && !isa<CXXDefaultArgExpr>(Token) && !isMadeEmpty(Token))
        continue; // it was given a way to be told
      return Shield{E, Work ? Work : objectOf(*E), Model};
    }
    if (Model->When == "empty-token" && !(Token && isMadeEmpty(Token)))
      continue;
    if (Model->When == "foreign-token") {
      // The current token, or one merged with it, is not foreign. Held in a
      // variable it is that of the variable's place, which a limit of the same
      // function does not reach.
      if (!Token)
        continue;
      const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Token));
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (Var && Var->isLocalVarDecl() && Var->hasInit() &&
          !suspensionsIn(Var->getInit()).empty() && enclosing(Body, E).empty())
        continue;
      if (!suspensionsIn(Token).empty())
        continue;
      if (const NamedDecl *Callee = calleeOf(*stripped(Token));
          Callee && Callee->getIdentifier() &&
          Callee->getName().lower().find("merge") != std::string::npos)
        continue;
    }
    if (Model->When == "filter") {
      bool Filtered = false;
      for (const Expr *Arg : argumentsOf(*E))
        walkWritten(Arg, [&](const Stmt &Part) {
          if (const auto *Sub = dyn_cast<Expr>(&Part))
            Filtered |= Roles.find(Sub, Role::ShieldFilter) != nullptr;
          return !Filtered;
        });
      if (!Filtered)
        continue;
    }
    return Shield{E, Work, Model};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Amounts and freshness
//===----------------------------------------------------------------------===//

Amount Limits::amount(const TimeExpr &T, const Bindings *Bound) {
  if (!T.E)
    return Amount::unknown();
  Durations &D = Context.get<Durations>();
  Amount A = D.foldTime(T.E, T.NumberUnit, Bound);
  if (A.exact() || !T.Absolute)
    return A;
  // A deadline object made from a duration: `Deadline::in(1s)`.
  const Expr *E = stripped(T.E);
  auto Args = argumentsOf(*E);
  if (Args.size() == 1 && isSpan(*Args[0]) && !isTimePointType(E->getType()))
    return D.fold(Args[0], Bound);
  return A;
}

Amount Limits::amount(const Limit &L, const Bindings *Bound) {
  // The loop's variables are not those of a wrapper's body.
  return amount(L.Time, L.TimeInsideWrapper ? nullptr : Bound);
}

/// `deadline - now()`, `now() < deadline`, `now() - start`, where points in
/// time are plain numbers and the one compared with was fixed before the loop.
bool Limits::comparesNumberClock(const FunctionBody &Body, const Stmt *Loop,
                                 const BinaryOperator &Op) {
  Durations &D = Context.get<Durations>();
  if (Op.getOpcode() != BO_Sub && !Op.isRelationalOp())
    return false;
  for (auto [Clock, Other] : {std::pair(Op.getLHS(), Op.getRHS()),
                              std::pair(Op.getRHS(), Op.getLHS())}) {
    if (!D.asksNumberClock(Clock))
      continue;
    bool Fixed = false;
    walkWritten(Other, [&](const Stmt &S) {
      const ValueDecl *V =
          isa<DeclRefExpr, MemberExpr>(S) ? namedBy(cast<Expr>(&S)) : nullptr;
      const auto *Var = dyn_cast_or_null<VarDecl>(V);
      if (!V || !(Var || isa<FieldDecl>(V)) ||
          !V->getType().getNonReferenceType()->isArithmeticType())
        return !Fixed;
      bool Local = Var && Var->isLocalVarDecl();
      const Expr *Init = Local ? Var->getInit() : nullptr;
      // A mere span (`now() - last < interval`) says so by its value.
      if (Init ? !Init->isValueDependent() && !D.asksNumberClock(Init) &&
                     D.fold(Init).exact()
               : Var && Var->getType().isConstQualified() && !Local &&
                     !isa<ParmVarDecl>(Var))
        return !Fixed;
      Fixed = !Local || (Loop ? !Init || !Body.contains(Loop, Init)
                              : V->getDeclContext() != &Body.function());
      // What the loop sets anew is no end of the loop.
      for (const Stmt *Part : Body.statements())
        if (const auto *Assign = dyn_cast<BinaryOperator>(Part);
            Assign && Assign->isAssignmentOp() && Loop &&
            Body.contains(Loop, Assign) && namedBy(Assign->getLHS()) == V)
          Fixed = false;
      return !Fixed;
    });
    if (Fixed)
      return true;
  }
  return false;
}

/// \p E is the smaller of a fixed limit and something asked anew each time,
/// such as a budget object: `min(1s, budget.left())`.
bool Limits::isCutShort(const FunctionBody &Body, const Expr *E) {
  for (unsigned Step = 0; Step < 3 && E; ++Step) {
    E = stripped(E);
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->isLocalVarDecl() || !Var->hasInit())
      break;
    E = Var->getInit();
  }
  Durations &D = Context.get<Durations>();
  bool Found = false;
  walkWritten(E, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (!F || !F->getIdentifier() ||
        (F->getName() != "min" && F->getName() != "clamp"))
      return !Found;
    auto Changes = [&](const Expr *Arg) {
      if (D.fold(Arg).exact())
        return false;
      bool Asks = false, Varies = false;
      walkWritten(Arg, [&](const Stmt &Part) {
        if (const auto *Inner = dyn_cast<CallExpr>(&Part))
          if (const FunctionDecl *Asked = Inner->getDirectCallee();
              Asked && !isa<CXXOperatorCallExpr>(Inner) &&
              !Asked->isInStdNamespace() && !D.isNow(*Inner))
            Asks = true;
        if (const auto *Name = dyn_cast<DeclRefExpr>(&Part))
          if (const auto *Local = dyn_cast<VarDecl>(Name->getDecl());
              Local && Local->isLocalVarDecl())
            Varies = true; // a growing pause, or followed elsewhere
        return true;
      });
      return Asks || !Varies;
    };
    auto Args = argumentsOf(*Call);
    Found =
        llvm::any_of(Args, [&](const Expr *A) { return D.fold(A).exact(); }) &&
        llvm::any_of(Args, Changes);
    return !Found;
  });
  return Found;
}

bool Limits::follows(const FunctionBody &Body, const Stmt *Loop, const Expr *E,
                     llvm::SmallPtrSetImpl<const ValueDecl *> &Seen,
                     unsigned Depth) {
  const SymbolRoles &Roles = Context.roles();
  Durations &D = Context.get<Durations>();
  bool Found = false;
  auto Variable = [&](const ValueDecl &V, const Expr &Ref) {
    if (!Seen.insert(&V).second)
      return;
    const auto *Var = dyn_cast<VarDecl>(&V);
    bool Local = Var && Var->isLocalVarDecl();
    bool Point = isPointInTime(Roles, Ref);
    bool InLoop = false;
    const Expr *Init = Local ? Var->getInit() : nullptr;
    if (Init && Loop)
      InLoop = Body.contains(Loop, Init);
    if (!Point && !isSpan(Ref) && !V.getType()->isArithmeticType())
      return;
    // A number is a time only when its name says so (`remaining_ms`): what is
    // left of something else is a count.
    if (!Point && saysRest(V.getName()) &&
        (isSpan(Ref) || unitInName(V.getName()) != 0) &&
        !D.fold(&Ref).exact()) {
      Found = true;
      return;
    }
    // What the loop itself puts into the variable.
    bool Reset = false;
    if (Var && !Var->getType().isConstQualified())
      for (const Stmt *S : Body.statements()) {
        const Expr *Target = nullptr, *Value = nullptr;
        bool Minus = false;
        if (const auto *Op = dyn_cast<BinaryOperator>(S);
            Op && Op->isAssignmentOp()) {
          Target = Op->getLHS(), Value = Op->getRHS();
          Minus = Op->getOpcode() == BO_SubAssign;
        } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
                   Op && Op->isAssignmentOp() && Op->getNumArgs() == 2) {
          Target = Op->getArg(0), Value = Op->getArg(1);
          Minus = Op->getOperator() == OO_MinusEqual;
        }
        if (!Target || namedBy(Target) != &V ||
            (Loop && !Body.contains(Loop, S)))
          continue;
        if (Minus && !Point && isSpan(Ref))
          Found = true; // what was spent is taken off
        else if (follows(Body, Loop, Value, Seen, Depth + 1))
          Found = true;
        else
          Reset = true;
      }
    if (Found || Reset)
      return;
    if (Point && !InLoop) {
      // Fixed before the loop, by a caller, outside the lambda or for good.
      Found = Loop || !Local || V.getDeclContext() != &Body.function();
      return;
    }
    if (Init)
      Found = follows(Body, Loop, Init, Seen, Depth + 1);
  };
  if (!E || Depth > 6)
    return false;
  walkWritten(E, [&](const Stmt &S) {
    if (Found)
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
        Variable(*V, *Ref);
    } else if (const auto *Member = dyn_cast<MemberExpr>(&S)) {
      if (isa<FieldDecl>(Member->getMemberDecl()))
        Variable(*Member->getMemberDecl(), *Member);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(&S)) {
      Found = comparesNumberClock(Body, Loop, *Op);
    } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (!F)
        return true;
      if (F->getIdentifier() && saysRest(F->getName()) &&
          (isSpan(*Call) || isPointInTime(Roles, *Call) ||
           unitInName(F->getName()) != 0)) {
        Found = true;
        return false;
      }
      // A helper of this file that asks a clock about a point in time that is
      // not its own: `[&] { return deadline - now(); }`.
      const FunctionBody *Inner = Context.get<Coroutines>().body(F);
      if (Inner && !Inner->isCoroutine() && Inner->statements().size() < 60 &&
          !Context.ast().getSourceManager().isInSystemHeader(F->getLocation()))
        for (const Stmt *Part : Inner->statements()) {
          const auto *PartExpr = dyn_cast<Expr>(Part);
          const ValueDecl *V =
              isa<DeclRefExpr, MemberExpr>(Part) ? namedBy(PartExpr) : nullptr;
          if (V && !isa<FunctionDecl>(V) && isPointInTime(Roles, *PartExpr) &&
              !(isa<VarDecl>(V) && V->getDeclContext() == &Inner->function() &&
                cast<VarDecl>(V)->isLocalVarDecl()))
            Found = true;
        }
    }
    return !Found;
  });
  return Found;
}

bool Limits::followsDeadline(const FunctionBody &Body, const Stmt *Loop,
                             const Expr *E) {
  llvm::SmallPtrSet<const ValueDecl *, 8> Seen;
  return follows(Body, Loop, E, Seen, 0);
}

bool Limits::isFreshIn(const FunctionBody &Body, const Stmt *Loop,
                       const Limit &L) {
  if (L.TimeInsideWrapper)
    return true;
  // A timer that was set before the loop keeps running through it.
  if (L.How == Limit::Race && Loop) {
    if (L.TimerSet && !Body.contains(Loop, L.TimerSet))
      return false;
  }
  if (L.Time.E)
    return !followsDeadline(Body, Loop, L.Time.E) &&
           !isCutShort(Body, L.Time.E);
  return L.How != Limit::Race || !L.TimerSet;
}

bool Limits::isCutByDeadline(const FunctionBody &Body, const Stmt *Loop) {
  const SymbolRoles &Roles = Context.roles();
  const SourceManager &SM = Context.ast().getSourceManager();
  for (const Stmt *S : Body.statements()) {
    if (Loop && !Body.contains(Loop, S)) {
      // A timer whose handler acts beside the loop.
      const auto *Wait = dyn_cast<CallExpr>(S);
      if (Wait && Roles.find(Wait, Role::TimerWait) &&
          SM.isBeforeInTranslationUnit(Wait->getBeginLoc(),
                                       Loop->getBeginLoc()) &&
          llvm::any_of(argumentsOf(*Wait), [](const Expr *A) {
            return isa<LambdaExpr>(stripped(A));
          }))
        return true;
      continue;
    }
    const Expr *Condition = loopCondition(*S);
    if (const auto *If = dyn_cast<IfStmt>(S))
      Condition = If->getCond();
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(S))
      Condition = Choice->getCond();
    if (!Condition)
      continue;
    bool Asks = followsDeadline(Body, Loop, Condition);
    walkWritten(Condition, [&](const Stmt &Part) {
      if (const auto *Call = dyn_cast<CallExpr>(&Part))
        if (const FunctionDecl *F = Call->getDirectCallee();
            F && F->getIdentifier() && saysOver(F->getName()))
          Asks = true;
      if (const auto *Member = dyn_cast<MemberExpr>(&Part);
          Member && Member->getMemberDecl()->getDeclName().isIdentifier() &&
          saysOver(Member->getMemberDecl()->getName()))
        Asks = true;
      return !Asks;
    });
    if (Asks)
      return true;
  }
  return false;
}

} // namespace async_tidy
