//===--- CancellationFlow.cpp ---------------------------------------------===//

#include "CancellationFlow.h"
#include "CancellationState.h"
#include <set>

using namespace clang;

namespace async_tidy {
namespace {

/// Bounds on the work for one question. Code that exceeds them is not judged.
constexpr unsigned MaxSteps = 4000;
constexpr unsigned MaxCallDepth = 3;

/// What a helper function does when it is called in the scenario.
struct CalleeSummary {
  bool Throws = false;  ///< never returns: throws the cancellation on
  bool HandsOn = false; ///< always gives it to somebody
  Meaning Result = Meaning::Unknown;
};

/// Executes one function abstractly.
class Execution {
public:
  Execution(AnalysisContext &Context, const FunctionBody &Body,
            llvm::ArrayRef<ThrownCancellation> Thrown, unsigned Depth,
            const Expr *Source = nullptr)
      : Context(Context), Roles(Context.roles()), Body(Body),
        Cfg(Context.get<CoroutineCfgs>().of(Body)), Thrown(Thrown),
        Evaluator(Roles, Thrown, Source), Depth(Depth),
        Arrivals(Context.get<CancellationArrivals>()),
        Explicit(llvm::all_of(Thrown, [](const ThrownCancellation &T) {
          return T.Model->Owner && !T.Model->Owner->ImplicitPropagation;
        })) {}

  /// The `try` or await whose repetition is a retry.
  void retryIs(const Stmt *Region);
  /// The await itself writes its error to \p Var, each time.
  void overwrites(const ValueDecl *Var) { Overwritten = Var; }
  /// The whole body runs while the cancellation is being handled.
  void calledWhileHandling() { AlwaysHandling = true; }

  void run(const CFGBlock *Block, unsigned Index, CancellationState State,
           const CXXCatchStmt *Active);

  FlowResult Result;
  std::set<Meaning> Returned;

private:
  struct Work {
    const CFGBlock *Block;
    unsigned Index;
    CancellationState State;
    const CXXCatchStmt *Active;
  };
  enum class Next { Continue, PathEnds };

  void execute(Work Item);
  Next step(const Stmt &S, Work &Item);
  Next declare(const VarDecl &Var, Work &Item);
  Next assign(const Expr *Target, const Expr *Value, Work &Item);
  Next call(const Expr &E, Work &Item);
  Next suspend(const Expr &E, Work &Item);
  void noteLate(const Expr &E, const Expr &Operand, Work &Item);
  Next leave(const Stmt &Return, const Expr *Value, Work &Item);
  Next raise(const Stmt &At, Work &Item);
  Next end(PathEnd End, const Stmt *Where, const Work &Item);
  void branch(Work &Item);
  bool onlyLogs(const Stmt *S) const;
  bool asksOwnCallback(const Expr *Condition);
  bool asksToken(const Stmt *Condition, unsigned Depth = 0) const;
  bool leavesWhenAsked(const Stmt &Loop) const;
  bool isSetUnlessKept(const IfStmt &If, const Work &Item);
  bool asksForError(const Expr &E) const;
  bool slices(const Expr &Thrown) const;
  bool isAwaitedSignal(const Stmt &Throw, QualType T) const;
  bool isLocal(const ValueDecl *D) const;
  /// The cancellation is in a variable that outlives the turn of the loop.
  bool keepsError(const CancellationState &State) const;

  Meaning meaning(const Expr *E, const Work &Item) {
    return Evaluator.evaluate(E, Item.State, CallMeaning);
  }
  std::optional<CalleeSummary> summarize(const Expr &E,
                                         const CancellationState &State);

  AnalysisContext &Context;
  const SymbolRoles &Roles;
  const FunctionBody &Body;
  const CoroutineCfg &Cfg;
  llvm::ArrayRef<ThrownCancellation> Thrown;
  CancellationEvaluator Evaluator;
  unsigned Depth;
  CancellationArrivals &Arrivals;
  /// Cancellation comes by tokens alone.
  bool Explicit;
  const Stmt *RetryRegion = nullptr;
  /// The loop around it whose condition asks the token: a cancellation ends it
  /// in any case, so leaving it early is no different.
  const Stmt *AskingLoop = nullptr;
  /// The endless loop around it that leaves where it asks the token.
  const Stmt *LeavingLoop = nullptr;
  const ValueDecl *Overwritten = nullptr;
  bool AlwaysHandling = false;
  std::optional<llvm::DenseSet<const ValueDecl *>> SetByCallbacks;

  std::vector<Work> Pending;
  std::set<std::tuple<unsigned, const CXXCatchStmt *, CancellationState>> Seen;
  unsigned Steps = 0;

  std::function<std::optional<Meaning>(const CallExpr &,
                                       const CancellationState &)>
      CallMeaning =
          [this](const CallExpr &E,
                 const CancellationState &State) -> std::optional<Meaning> {
    if (auto Summary = summarize(E, State))
      return Summary->Result;
    return std::nullopt;
  };
};

void Execution::retryIs(const Stmt *Region) {
  RetryRegion = Region;
  for (const Stmt *Loop = Body.enclosingLoop(Region); Loop;
       Loop = Body.enclosingLoop(Loop))
    if (const Expr *Condition = loopCondition(*Loop);
        Condition && asksToken(Condition))
      AskingLoop = Loop;
    else if (!Condition && leavesWhenAsked(*Loop))
      LeavingLoop = Loop;
}

/// \p Loop, which has no condition of its own, asks the token in its body and
/// leaves when it says so.
bool Execution::leavesWhenAsked(const Stmt &Loop) const {
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *If = dyn_cast<IfStmt>(S);
    if (!If || !Body.contains(&Loop, If) || Body.enclosing<CXXCatchStmt>(If) ||
        !asksToken(If->getCond()))
      return false;
    bool Leaves = false;
    walkWritten(If->getThen(), [&](const Stmt &Part) {
      Leaves |= isa<ReturnStmt, CoreturnStmt, CXXThrowExpr>(Part) ||
                (isa<BreakStmt>(Part) && Body.enclosingLoop(If) == &Loop);
      return !Leaves;
    });
    return Leaves;
  });
}

/// \p Condition asks the token, or a function of this file that does.
bool Execution::asksToken(const Stmt *Condition, unsigned Depth) const {
  bool Found = false;
  walkWritten(Condition, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E || Found)
      return !Found;
    // A flag of this function's own says what it was given.
    if (isOwnFlag(*E)) {
      const auto *Var = cast<VarDecl>(cast<DeclRefExpr>(E)->getDecl());
      Found = Depth < MaxCallDepth && Var->getInit() &&
              asksToken(Var->getInit(), Depth + 1);
      return false;
    }
    Found = Roles.find(E, Role::CancellationTest) != nullptr;
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee =
        Call && Depth < MaxCallDepth ? Call->getDirectCallee() : nullptr;
    const FunctionBody *Inside =
        Callee && Callee->getReturnType()->isBooleanType()
            ? Context.get<Coroutines>().body(Callee)
            : nullptr;
    if (!Found && Inside && !Inside->isCoroutine())
      Found = asksToken(Inside->body(), Depth + 1);
    return !Found;
  });
  return Found;
}

void Execution::run(const CFGBlock *Block, unsigned Index,
                    CancellationState State, const CXXCatchStmt *Active) {
  Pending.push_back({Block, Index, std::move(State), Active});
  while (!Pending.empty()) {
    if (++Steps > MaxSteps) {
      Result.Complete = false;
      return;
    }
    Work Item = std::move(Pending.back());
    Pending.pop_back();
    if (Item.Index != 0 ||
        Seen.insert({Item.Block->getBlockID(), Item.Active, Item.State}).second)
      execute(std::move(Item));
  }
}

void Execution::execute(Work Item) {
  if (Item.Block == &Cfg.graph().getExit()) {
    Returned.insert(Meaning::Unknown);
    end(PathEnd::FallsOff, nullptr, Item);
    return;
  }
  for (unsigned N = Item.Block->size(); Item.Index < N; ++Item.Index) {
    auto Element = (*Item.Block)[Item.Index].getAs<CFGStmt>();
    if (!Element)
      continue;
    const Stmt *S = Element->getStmt();
    if (const Expr *Await = Cfg.endedBy(S))
      S = Await;
    if (!Body.isWritten(S) && !isa<DeclStmt>(S))
      continue;
    Item.State.Handling =
        AlwaysHandling || (Item.Active && Body.contains(Item.Active, S));
    if (step(*S, Item) == Next::PathEnds)
      return;
  }
  branch(Item);
}

Execution::Next Execution::end(PathEnd End, const Stmt *Where,
                               const Work &Item) {
  bool Failure = End == PathEnd::Converts || End == PathEnd::Returns ||
                 End == PathEnd::FallsOff || End == PathEnd::Retries;
  // Without a result, leaving the loop is leaving the function.
  bool BehindLoop =
      AskingLoop && End != PathEnd::Retries &&
      (!Where || End == PathEnd::FallsOff || !Body.contains(AskingLoop, Where));
  bool AskedNextTurn = LeavingLoop && End == PathEnd::Retries;
  if (Failure && (Item.State.Acknowledged || BehindLoop || AskedNextTurn))
    End = PathEnd::Acknowledged;
  for (const PathOutcome &Known : Result.Outcomes)
    if (Known.End == End && Known.Where == Where &&
        Known.Tested == Item.State.Tested &&
        Known.Awaited == Item.State.Awaited &&
        Known.Unrelated == Item.State.Unrelated &&
        Known.Named == Item.State.Named)
      return Next::PathEnds;
  Result.Outcomes.push_back({End, Where, Item.State.Tested, Item.State.Test,
                             Item.State.Awaited, Item.State.Unrelated,
                             Item.State.Named});
  return Next::PathEnds;
}

/// The local variable that \p E is or is a part of.
static const ValueDecl *rootVariable(const Expr *E) {
  while ((E = stripped(E))) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return nullptr;
      E = Member->getBase();
    } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
               Op && Op->getOperator() == OO_Subscript) {
      E = Op->getArg(0);
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

bool Execution::isLocal(const ValueDecl *D) const {
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!Var || Var->hasGlobalStorage() ||
      Var->getDeclContext() != &Body.function())
    return false;
  if (!Var->getType()->isReferenceType())
    return true;
  // A reference is as local as what it is bound to.
  const Expr *To = isa<ParmVarDecl>(Var) ? nullptr : Var->getInit();
  if (!To)
    return false;
  if (isa<MaterializeTemporaryExpr>(To->IgnoreParenImpCasts()) ||
      isa<ExprWithCleanups>(To))
    return true;
  const ValueDecl *Root = rootVariable(To);
  return Root && Root != D && isLocal(Root);
}

Execution::Next Execution::declare(const VarDecl &Var, Work &Item) {
  const Expr *Init = Var.getInit();
  Meaning M = Init ? meaning(Init, Item) : Meaning::Unknown;
  if (M == Meaning::Unknown)
    Item.State.Variables.erase(&Var);
  else
    Item.State.Variables[&Var] = M;
  if (M == Meaning::Cancellation && !Result.Stash)
    Result.Stash = &Var;
  return Next::Continue;
}

Execution::Next Execution::assign(const Expr *Target, const Expr *Value,
                                  Work &Item) {
  Meaning M = meaning(Value, Item);
  const Expr *Place = stripped(Target);
  // `std::tie(ec, n) = co_await …`
  if (const auto *Tie = dyn_cast<CallExpr>(Place); Tie && !objectOf(*Tie)) {
    if (M == Meaning::Cancellation)
      for (const Expr *Arg : Tie->arguments())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Arg));
            Ref && Evaluator.isErrorType(Ref->getType()))
          Item.State.Variables[Ref->getDecl()] = M;
    return Next::Continue;
  }
  const ValueDecl *Key = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Place))
    Key = Ref->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(Place);
           Member && isa<CXXThisExpr, DeclRefExpr>(stripped(Member->getBase())))
    Key = Member->getMemberDecl();
  if (M == Meaning::Cancellation) {
    if (isa_and_nonnull<FieldDecl>(Key))
      Key = rootVariable(Place);
    const ValueDecl *Root = Key ? Key : rootVariable(Place);
    // What outlives this function is somebody else's to look at.
    if (!Root || !isLocal(Root))
      return end(PathEnd::HandsOn, Place, Item);
    Key = Root;
    if (!Result.Stash)
      Result.Stash = Root;
  }
  if (Key && M != Meaning::Unknown)
    Item.State.Variables[Key] = M;
  else if (Key)
    Item.State.Variables.erase(Key);
  if (M == Meaning::Text && isa<MemberExpr>(Place))
    if (const ValueDecl *Whole = rootVariable(Place))
      Item.State.Variables.try_emplace(Whole, M);
  return Next::Continue;
}

Execution::Next Execution::raise(const Stmt &At, Work &Item) {
  const Stmt *Below = &At;
  for (const Stmt *P = Body.parent(&At); P; Below = P, P = Body.parent(P)) {
    const auto *Try = dyn_cast<CXXTryStmt>(P);
    if (!Try || Below != Try->getTryBlock())
      continue;
    // An outer `try` around the one the cancellation came from has handlers of
    // its own, which are judged on their own.
    if (RetryRegion && Body.contains(Try->getTryBlock(), RetryRegion))
      break;
    for (unsigned I = 0; I != Try->getNumHandlers(); ++I) {
      const CXXCatchStmt *Handler = Try->getHandler(I);
      if (llvm::none_of(Thrown, [&](const ThrownCancellation &T) {
            return catches(*Handler, T);
          }))
        continue;
      if (const CFGBlock *Block = Cfg.handlerBlock(Handler)) {
        Work Nested{Block, 0, Item.State, Handler};
        if (const VarDecl *Var = Handler->getExceptionDecl())
          Nested.State.Variables[Var] = Meaning::Cancellation;
        Pending.push_back(std::move(Nested));
        return Next::PathEnds;
      }
    }
  }
  return end(PathEnd::Propagates, &At, Item);
}

Execution::Next Execution::leave(const Stmt &Return, const Expr *Value,
                                 Work &Item) {
  if (!Value || Value->getType()->isVoidType()) {
    Returned.insert(Meaning::Unknown);
    return end(PathEnd::FallsOff, &Return, Item);
  }
  Meaning M = meaning(Value, Item);
  Returned.insert(M);
  const Expr *Plain = stripped(Value);
  if (M == Meaning::Cancellation || Evaluator.namesCancellation(Value))
    return end(PathEnd::Propagates, &Return, Item);
  // A project's answer with the error's text in it says that it failed, and so
  // does a pair of a code and the text.
  const CXXRecordDecl *Answer = Plain->getType()->getAsCXXRecordDecl();
  if (M == Meaning::Text && Answer &&
      (!Answer->isInStdNamespace() || Answer->getName() == "pair" ||
       Answer->getName() == "tuple"))
    return end(PathEnd::HandsOn, &Return, Item);
  // `co_return !ec;` says whether it worked.
  if ((M == Meaning::True || M == Meaning::False) &&
      !isa<CXXBoolLiteralExpr, DeclRefExpr, ConditionalOperator>(Plain)) {
    bool UsesError = false;
    Evaluator.condition(Value, Item.State, CallMeaning, UsesError);
    if (UsesError)
      return end(PathEnd::HandsOn, &Return, Item);
  }
  // Another error in the place of this one.
  bool OtherError = Roles.find(Plain, Role::CancellationRaise) != nullptr;
  if (!Roles.findType(Plain->getType(), Role::Task) &&
      isa<CXXConstructExpr, InitListExpr, CallExpr>(Plain) &&
      !argumentsOf(*Plain).empty())
    if (const Entry *Holder =
            Roles.findType(Plain->getType(), Role::ErrorHolder))
      OtherError |= Holder->MeansFailure;
  return end(OtherError ? PathEnd::Converts : PathEnd::Returns, &Return, Item);
}

Execution::Next Execution::suspend(const Expr &E, Work &Item) {
  if (RetryRegion) {
    const auto *Try = dyn_cast<CXXTryStmt>(RetryRegion);
    // With the error kept for later, the next turn is about the next item.
    const bool Again =
        &E == RetryRegion || (Try && Body.contains(Try->getTryBlock(), &E));
    if (Again && keepsError(Item.State)) {
      Item.State.NextItem = true;
    } else if (Again) {
      if (Item.State.NextItem)
        return Next::PathEnds;
      // The next turn of a range-for is about the next item; what comes behind
      // the loop is followed as well.
      if (isa_and_nonnull<CXXForRangeStmt>(Body.enclosingLoop(RetryRegion)))
        return Next::PathEnds;
      return end(PathEnd::Retries, &E, Item);
    }
  }
  const Expr *Operand = stripped(suspensionOperand(E));
  if (!Operand)
    return Next::Continue;
  if (Roles.find(Operand, Role::CancellationCheck))
    return raise(E, Item);
  noteLate(E, *Operand, Item);
  // What is given the token that was cancelled fails at once.
  if (Explicit && Arrivals.passesToken(*Operand, Body))
    return raise(E, Item);
  if (const Entry *Sleep = Roles.find(Operand, Role::Sleep))
    if (const Expr *Token = Roles.argument(*Operand, Sleep->Token))
      if (!isa<CXXDefaultArgExpr>(Token))
        return raise(E, Item);
  if (meaning(Operand, Item) == Meaning::Cancellation &&
      (isa<CoyieldExpr>(E) || Roles.find(Operand, Role::CancellationRaise)))
    return end(PathEnd::Propagates, &E, Item);
  if (isa<CoyieldExpr>(E) && Evaluator.namesCancellation(Operand))
    return end(PathEnd::Propagates, &E, Item);
  // An error that was kept before is raised.
  if (isa<CallExpr, CXXConstructExpr>(Operand) &&
      Roles.find(Operand, Role::CancellationRaise) &&
      llvm::any_of(argumentsOf(*Operand), [&](const Expr *Arg) {
        return isa<DeclRefExpr>(stripped(Arg)) &&
               Roles.findType(stripped(Arg)->getType(), Role::ErrorHolder);
      }))
    return end(PathEnd::Terminates, &E, Item);
  // `co_yield co_cancelled` needs no error to say what it does.
  if (Roles.find(Operand, Role::CancellationRaise))
    return end(Evaluator.namesCancellation(Operand) || isa<DeclRefExpr>(Operand)
                   ? PathEnd::Propagates
                   : PathEnd::Converts,
               &E, Item);
  Item.State.Awaited = true;
  return Next::Continue;
}

void Execution::noteLate(const Expr &E, const Expr &Operand, Work &Item) {
  // `co_await reset_state()`: the coroutine forgets that it was cancelled.
  if (isa<CallExpr>(&Operand) && Roles.find(&Operand, Role::Immediate))
    Item.State.Shielded = true;
  if (Item.State.Shielded || !isa<CoawaitExpr>(E) ||
      Roles.find(&Operand, Role::CancellationRaise))
    return;
  for (LateAwait &Known : Result.Late)
    if (Known.Await == &E) {
      Known.Tested |= Item.State.Tested;
      return;
    }
  Result.Late.push_back({&E, Item.State.Tested, Item.State.Test});
}

bool Execution::keepsError(const CancellationState &State) const {
  const Stmt *Loop = Body.enclosingLoop(RetryRegion);
  return llvm::any_of(State.Variables, [&](const auto &Known) {
    const auto *Var = dyn_cast<VarDecl>(Known.first);
    if (Known.second != Meaning::Cancellation || !Var || Var == Overwritten ||
        Var->isExceptionVariable() || isa<DecompositionDecl>(Var))
      return false;
    SourceLocation Loc = Var->getLocation();
    return !Loop || Loc < Loop->getBeginLoc() || Loop->getEndLoc() < Loc;
  });
}

std::optional<CalleeSummary>
Execution::summarize(const Expr &E, const CancellationState &State) {
  if (Depth >= MaxCallDepth)
    return std::nullopt;
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  if (!Callee || isa<CXXConstructorDecl>(Callee) || Callee == &Body.function())
    return std::nullopt;
  auto Args = argumentsOf(E);
  const FunctionBody *Inside = Context.get<Coroutines>().body(Callee);
  // Library code is known by its model, not by what it does inside.
  if (!Inside || Inside->isCoroutine() ||
      llvm::any_of(Inside->statements(),
                   [](const Stmt *S) { return isa<AsmStmt>(S); }) ||
      Context.ast().getSourceManager().isInSystemHeader(
          Inside->function().getLocation()))
    return std::nullopt;
  CancellationState Entry;
  Entry.Handling = State.Handling;
  const FunctionDecl &Definition = Inside->function();
  for (unsigned I = 0; I < Args.size() && I < Definition.getNumParams(); ++I) {
    Meaning M = Evaluator.evaluate(Args[I], State, CallMeaning);
    if (M != Meaning::Unknown)
      Entry.Variables[Definition.getParamDecl(I)] = M;
  }
  bool Concerned =
      State.Handling || llvm::any_of(Entry.Variables, [](const auto &V) {
        return V.second == Meaning::Cancellation;
      });
  // A test of a token that is wrapped in a function is one, too.
  if (!Concerned && !Callee->getReturnType()->isBooleanType())
    return std::nullopt;
  Execution Nested(Context, *Inside, Thrown, Depth + 1);
  if (!Nested.Cfg.valid())
    return std::nullopt;
  if (State.Handling)
    Nested.calledWhileHandling();
  Nested.run(&Nested.Cfg.graph().getEntry(), 0, std::move(Entry), nullptr);
  if (!Nested.Result.Complete || Nested.Result.Outcomes.empty())
    return std::nullopt;
  CalleeSummary Summary;
  auto All = [&](PathEnd A, PathEnd B) {
    return llvm::all_of(Nested.Result.Outcomes, [&](const PathOutcome &O) {
      return O.End == A || O.End == B;
    });
  };
  // Returning an error is not throwing it.
  Summary.Throws =
      All(PathEnd::Propagates, PathEnd::Terminates) && Nested.Returned.empty();
  Summary.HandsOn = All(PathEnd::HandsOn, PathEnd::HandsOn);
  if (Nested.Returned.size() == 1)
    Summary.Result = *Nested.Returned.begin();
  return Summary;
}

/// \p Callable was passed to this function.
static bool isGivenWork(const Expr &Callable) {
  const auto *Ref = dyn_cast<DeclRefExpr>(stripped(&Callable));
  return Ref && isa<ParmVarDecl>(Ref->getDecl());
}

/// \p E asks what became of the work, for something other than a branch, which
/// is followed.
bool Execution::asksForError(const Expr &E) const {
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (!Roles.find(&E, Role::ErrorTest) &&
      !Roles.find(&E, Role::CancellationClassifier) &&
      !(Call && Evaluator.asksForType(*Call)))
    return false;
  return !isa_and_nonnull<IfStmt, WhileStmt, DoStmt, ForStmt>(
      Body.parent(Body.fullExpression(&E)));
}

Execution::Next Execution::call(const Expr &E, Work &Item) {
  const NamedDecl *Callee = calleeOf(E);
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Callee);
  if (Function && Function->isNoReturn() && !Roles.find(&E, Role::Rethrow))
    return end(Roles.find(&E, Role::CancellationRaise) ? PathEnd::Converts
                                                       : PathEnd::Terminates,
               &E, Item);
  if (Roles.find(&E, Role::CancellationCheck) &&
      !isAwaitableType(E.getType(), Context.ast()))
    return raise(E, Item);

  auto Args = argumentsOf(E);
  const Expr *Object = objectOf(E);
  auto IsCancellation = [&](const Expr *Part) {
    return Part && meaning(Part, Item) == Meaning::Cancellation;
  };
  // A thread waits for what gets the cancelled token, which fails at once.
  if (Explicit && Object && Roles.find(&E, Role::SyncWait) &&
      Arrivals.passesToken(*Object, Body))
    return raise(E, Item);
  bool AnyArg = llvm::any_of(Args, IsCancellation);
  bool OnObject = IsCancellation(Object);
  auto IsText = [&](const Expr *Part) {
    return Part && meaning(Part, Item) == Meaning::Text;
  };
  if (Evaluator.isLogging(E)) {
    Result.Logged |= AnyArg || OnObject || llvm::any_of(Args, IsText);
    return Next::Continue;
  }
  if (Roles.find(&E, Role::Rethrow) &&
      (AnyArg || OnObject || (Args.empty() && !Object && Item.State.Handling)))
    return raise(E, Item);
  // Some other error that was kept is thrown.
  if (Function && Function->isNoReturn())
    return end(PathEnd::Terminates, &E, Item);
  if (AnyArg && Roles.find(&E, Role::HandOver))
    return end(PathEnd::HandsOn, &E, Item);
  // Dropped on purpose, as the call's name says.
  if (OnObject && Roles.find(&E, Role::BestEffort))
    return end(PathEnd::HandsOn, &E, Item);
  if (OnObject || AnyArg)
    Result.Asked |= asksForError(E);
  if (isa<CXXConstructExpr>(E))
    return Next::Continue;
  // A callback is there to be told; so is whoever takes a whole exception.
  bool Callback =
      !Function || (isa<CXXOperatorCallExpr>(E) &&
                    cast<CXXOperatorCallExpr>(E).getOperator() == OO_Call);
  // Whatever the one at hand in this instance does with it.
  if (AnyArg && Callback && Object && isGivenWork(*Object))
    return end(PathEnd::HandsOn, &E, Item);
  if (AnyArg || Item.State.Handling)
    if (std::optional<CalleeSummary> Summary = summarize(E, Item.State)) {
      if (Summary->Throws)
        return raise(E, Item);
      if (Summary->HandsOn)
        return end(PathEnd::HandsOn, &E, Item);
      return Next::Continue;
    }
  if (!AnyArg)
    return Next::Continue;
  // `errors.push_back(std::current_exception())`
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && !Method->isConst() && Object && Method->getIdentifier()) {
    const ValueDecl *Root = rootVariable(Object);
    static constexpr llvm::StringLiteral Inserting[] = {
        "push_back",        "emplace_back", "push_front", "emplace_front",
        "insert",           "emplace",      "push",       "try_emplace",
        "insert_or_assign", "assign"};
    bool Inserts = llvm::is_contained(Inserting, Method->getName());
    if (Inserts) {
      if (!Root || !isLocal(Root))
        return end(PathEnd::HandsOn, &E, Item);
      Item.State.Variables[Root] = Meaning::Cancellation;
      if (!Result.Stash)
        Result.Stash = Root;
      return Next::Continue;
    }
  }
  // `result.emplaceException(std::current_exception())`
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && !Method->isConst() && !Method->isOverloadedOperator() &&
      Object && Roles.findType(stripped(Object)->getType(), Role::ErrorHolder))
    if (const ValueDecl *Root = rootVariable(Object)) {
      if (!isLocal(Root))
        return end(PathEnd::HandsOn, &E, Item);
      Item.State.Variables[Root] = Meaning::Cancellation;
      Result.Stash = Result.Stash ? Result.Stash : Root;
      return Next::Continue;
    }
  bool WholeException = llvm::any_of(Args, [&](const Expr *A) {
    return IsCancellation(A) &&
           Roles.findType(stripped(A)->getType(), Role::ErrorHolder);
  });
  // Comparing is no hand-over.
  bool Asks = E.getType()->isBooleanType() ||
              (isa<CXXOperatorCallExpr>(E) && !Callback);
  if (Callback || (WholeException && !Asks))
    return end(PathEnd::HandsOn, &E, Item);
  return Next::Continue;
}

Execution::Next Execution::step(const Stmt &S, Work &Item) {
  if (const auto *Decls = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        if (declare(*Var, Item) == Next::PathEnds)
          return Next::PathEnds;
    return Next::Continue;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S)) {
    if (Binary->getOpcode() == BO_Assign)
      return assign(Binary->getLHS(), Binary->getRHS(), Item);
    if (Binary->isCompoundAssignmentOp())
      if (const ValueDecl *Key = rootVariable(Binary->getLHS())) {
        if (Binary->getOpcode() == BO_OrAssign &&
            meaning(Binary->getRHS(), Item) == Meaning::True)
          Item.State.Variables[Key] = Meaning::True;
        else
          Item.State.Variables.erase(Key);
      }
    return Next::Continue;
  }
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
      Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2)
    return assign(Op->getArg(0), Op->getArg(1), Item);
  if (const auto *Throw = dyn_cast<CXXThrowExpr>(&S)) {
    const Expr *Value = Throw->getSubExpr();
    if (!Value)
      return Item.State.Handling ? raise(S, Item)
                                 : end(PathEnd::Terminates, &S, Item);
    Meaning M = meaning(Value, Item);
    QualType T = Value->getType();
    bool Same = Evaluator.isCancellationType(T);
    if (Roles.findType(T, Role::CodeException))
      Same |= M == Meaning::Cancellation || Evaluator.namesCancellation(Value);
    else if (Roles.findType(T, Role::ErrorHolder) && M == Meaning::Cancellation)
      Result.ThrownPointer = &S;
    else
      Same |= M == Meaning::Cancellation && !slices(*stripped(Value)) &&
              !isa<CXXConstructExpr, InitListExpr>(stripped(Value));
    if (Same)
      return raise(S, Item);
    return end(isAwaitedSignal(S, T) ? PathEnd::HandsOn : PathEnd::Converts, &S,
               Item);
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(&S))
    return leave(S, Return->getRetValue(), Item);
  if (const auto *Return = dyn_cast<CoreturnStmt>(&S))
    return leave(S, Return->getOperand(), Item);
  if (isSuspension(S))
    return suspend(cast<Expr>(S), Item);
  // A callable that carries the error with it is there to deliver it.
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
    for (const Expr *Init : Lambda->capture_inits())
      if (Init && meaning(Init, Item) == Meaning::Cancellation)
        return end(PathEnd::HandsOn, &S, Item);
  if (isa<CallExpr, CXXConstructExpr>(&S))
    return call(cast<Expr>(S), Item);
  return Next::Continue;
}

/// A handler around \p Throw, also around the lambda it stands in, asks for
/// just a \p T: it knows what that means.
bool Execution::isAwaitedSignal(const Stmt &Throw, QualType T) const {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  auto &Functions = Context.get<Coroutines>();
  const FunctionBody *In = &Body;
  for (const Stmt *Below = &Throw; Class && In;) {
    for (const Stmt *P = In->parent(Below); P; Below = P, P = In->parent(P)) {
      const auto *Try = dyn_cast<CXXTryStmt>(P);
      if (!Try || Below != Try->getTryBlock())
        continue;
      for (unsigned I = 0; I != Try->getNumHandlers(); ++I) {
        QualType Caught = Try->getHandler(I)->getCaughtType();
        const CXXRecordDecl *Asked =
            Caught.isNull()
                ? nullptr
                : Caught.getNonReferenceType()->getAsCXXRecordDecl();
        if (Asked && Asked->getCanonicalDecl() == Class->getCanonicalDecl())
          return true;
      }
    }
    Below = Functions.lambda(In->function());
    In = Below ? Functions.body(Coroutines::enclosingFunction(In->function()))
               : nullptr;
  }
  return false;
}

/// `throw e;` of a caught base copies that base alone.
bool Execution::slices(const Expr &Value) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Value);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const CXXRecordDecl *Class =
      Var && Var->isExceptionVariable()
          ? Var->getType().getNonReferenceType()->getAsCXXRecordDecl()
          : nullptr;
  return Class && llvm::all_of(Thrown, [&](const ThrownCancellation &T) {
           return T.Class &&
                  T.Class->getCanonicalDecl() != Class->getCanonicalDecl();
         });
}

bool Execution::onlyLogs(const Stmt *S) const {
  if (!S)
    return false;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && llvm::all_of(Block->body(), [&](auto *Sub) {
      return onlyLogs(Sub);
    });
  if (const auto *If = dyn_cast<IfStmt>(S))
    return onlyLogs(If->getThen()) &&
           (!If->getElse() || onlyLogs(If->getElse()));
  if (const auto *E = dyn_cast<Expr>(S)) {
    const Expr *Plain = stripped(E);
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return Unary->isIncrementDecrementOp();
    return Evaluator.isLogging(*Plain);
  }
  return false;
}

/// Collects the variables that are written, or may be, below \p S.
static void collectWritten(const Stmt *S, bool Loaded,
                           llvm::DenseSet<const ValueDecl *> &Out) {
  if (!S)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && !Loaded)
    Out.insert(Ref->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(S); Member && !Loaded)
    Out.insert(Member->getMemberDecl());
  const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
  for (const Stmt *Child : S->children())
    collectWritten(Child, Cast && Cast->getCastKind() == CK_LValueToRValue,
                   Out);
}

/// A flag that a callback of this function sets, as that of a timer which
/// cancels the work, tells whose cancellation it is.
bool Execution::asksOwnCallback(const Expr *Condition) {
  if (!SetByCallbacks) {
    SetByCallbacks.emplace();
    for (const Stmt *S : Body.statements())
      if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
        collectWritten(Lambda->getBody(), false, *SetByCallbacks);
  }
  bool Found = false;
  walkWritten(Condition, [&](const Stmt &Part) {
    const auto *E = dyn_cast<Expr>(&Part);
    if (!E || !E->getType()->isBooleanType() ||
        !isa<DeclRefExpr, MemberExpr>(E))
      return !Found;
    // A flag, or one in a local object.
    const ValueDecl *Root = rootVariable(E);
    const auto *Member = dyn_cast<MemberExpr>(E);
    Found |= Root && isLocal(Root) &&
             SetByCallbacks->contains(Member ? Member->getMemberDecl() : Root);
    return !Found;
  });
  return Found;
}

/// `if (!record.hasError()) record = …;` keeps the first of several errors:
/// what is asked about an object decides whether it gets this one.
bool Execution::isSetUnlessKept(const IfStmt &If, const Work &Item) {
  const Expr *Asked = stripped(If.getCond());
  if (const auto *Not = dyn_cast<UnaryOperator>(Asked))
    Asked = stripped(Not->getSubExpr());
  const Expr *Object = objectOf(*Asked);
  if (!Object)
    return false;
  llvm::FoldingSetNodeID Wanted;
  stripped(Object)->Profile(Wanted, Context.ast(), /*Canonical=*/true);
  bool Found = false;
  walkWritten(If.getThen(), [&](const Stmt &S) {
    const Expr *Target = nullptr, *Value = nullptr;
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
        Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2) {
      Target = Op->getArg(0);
      Value = Op->getArg(1);
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
               Binary && Binary->getOpcode() == BO_Assign) {
      Target = Binary->getLHS();
      Value = Binary->getRHS();
    }
    if (!Target || Found || meaning(Value, Item) != Meaning::Cancellation)
      return !Found;
    llvm::FoldingSetNodeID Set;
    stripped(Target)->Profile(Set, Context.ast(), /*Canonical=*/true);
    Found = Set == Wanted;
    return !Found;
  });
  return Found;
}

void Execution::branch(Work &Item) {
  const CFGBlock *Block = Item.Block;
  const Stmt *Terminator = Block->getTerminatorStmt();
  auto Follow = [&](const CFGBlock *Successor, const CancellationState &State) {
    if (Successor)
      Pending.push_back({Successor, 0, State, Item.Active});
  };
  if (const auto *Switch = dyn_cast_or_null<SwitchStmt>(Terminator)) {
    bool OnCode = meaning(Switch->getCond(), Item) == Meaning::Cancellation;
    if (OnCode) {
      Item.State.Tested = true;
      Item.State.Test = Item.State.Test ? Item.State.Test : Switch->getCond();
    }
    const CFGBlock *Chosen = nullptr, *Default = nullptr;
    for (const CFGBlock *Successor : Block->succs()) {
      if (!Successor)
        continue;
      const auto *Case = dyn_cast_or_null<CaseStmt>(Successor->getLabel());
      if (!Case)
        Default = Successor;
      // One block can stand for several labels in a row.
      for (; Case; Case = dyn_cast<CaseStmt>(Case->getSubStmt()))
        if (Evaluator.namesCancellation(Case->getLHS()))
          Chosen = Successor;
    }
    if (OnCode)
      return Follow(Chosen ? Chosen : Default, Item.State);
    for (const CFGBlock *Successor : Block->succs())
      Follow(Successor, Item.State);
    return;
  }
  // A list with the error in it is not empty: its loop has a first turn.
  if (const auto *For = dyn_cast_or_null<CXXForRangeStmt>(Terminator);
      For && Block->succ_size() == 2) {
    bool Begun = Item.State.Variables.count(For->getLoopVariable()) != 0;
    Follow(*Block->succ_begin(), Item.State);
    if (Begun || meaning(For->getRangeInit(), Item) != Meaning::Cancellation)
      Follow(*std::next(Block->succ_begin()), Item.State);
    return;
  }
  const Expr *Condition =
      Block->succ_size() == 2 ? Block->getLastCondition() : nullptr;
  if (!Condition) {
    for (const CFGBlock *Successor : Block->succs())
      Follow(Successor, Item.State);
    return;
  }
  Item.State.Handling =
      AlwaysHandling || (Item.Active && Body.contains(Item.Active, Condition));
  bool UsesError = false;
  std::optional<bool> Known =
      Evaluator.condition(Condition, Item.State, CallMeaning, UsesError);
  bool OwnCallback = asksOwnCallback(Condition);
  // The own timer cancelled the work, nobody the coroutine.
  Item.State.Shielded |= OwnCallback;
  const auto *Asking = dyn_cast_or_null<IfStmt>(Terminator);
  const bool Noted =
      Asking && !Asking->getElse() && onlyLogs(Asking->getThen());
  Item.State.Acknowledged |= (asksToken(Condition) && !Noted) || OwnCallback;
  const CFGBlock *True = *Block->succ_begin();
  const CFGBlock *False = *std::next(Block->succ_begin());
  if (UsesError) {
    Item.State.Named |= Evaluator.namesCancellation(Condition);
    const Stmt *Taken = nullptr;
    if (const auto *If = dyn_cast_or_null<IfStmt>(Terminator))
      Taken = !Known ? nullptr : *Known ? If->getThen() : If->getElse();
    if (!onlyLogs(Taken)) {
      Item.State.Tested = true;
      if (!Item.State.Test)
        Item.State.Test = Condition;
    } else {
      Result.Logged = true;
    }
  }
  if (const auto *If = dyn_cast_or_null<IfStmt>(Terminator);
      If && !Known && !If->getElse() && isSetUnlessKept(*If, Item)) {
    Follow(True, Item.State);
    end(PathEnd::HandsOn, If, Item);
    return;
  }
  // `if (!first) first = …;`: what is not empty holds an earlier error.
  CancellationState IfTrue = Item.State, IfFalse = Item.State;
  if (!Known) {
    const Expr *Plain = stripped(Condition);
    bool Negated = false;
    if (const auto *Not = dyn_cast<UnaryOperator>(Plain);
        Not && Not->getOpcode() == UO_LNot) {
      Negated = true;
      Plain = stripped(Not->getSubExpr());
    }
    if (const Expr *Object = objectOf(*Plain);
        Object && isa_and_nonnull<CXXConversionDecl>(calleeOf(*Plain)))
      Plain = stripped(Object);
    const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
    const Entry *Holder =
        Ref ? Roles.findType(Ref->getType(), Role::ErrorHolder) : nullptr;
    if (Holder && Holder->MeansFailure) {
      (Negated ? IfFalse : IfTrue).Variables[Ref->getDecl()] =
          Meaning::Cancellation;
      (Negated ? IfTrue : IfFalse).Variables[Ref->getDecl()] = Meaning::Nothing;
    }
  }
  if (!Known && !Item.State.Handling)
    IfTrue.Unrelated = IfFalse.Unrelated = true;
  if (!Known || *Known)
    Follow(True, IfTrue);
  if (!Known || !*Known)
    Follow(False, IfFalse);
}

/// \p T is a flag, or something whose emptiness is tested like one.
static bool isTestable(QualType T) {
  if (T->isBooleanType() || T->isPointerType())
    return true;
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition())
    return false;
  return llvm::any_of(RD->getDefinition()->getVisibleConversionFunctions(),
                      [](const NamedDecl *D) {
                        const auto *To =
                            dyn_cast<CXXConversionDecl>(D->getUnderlyingDecl());
                        return To && To->getConversionType()->isBooleanType();
                      });
}

/// Where what \p Ref takes part in has happened: an assignment comes after the
/// awaits of its right side.
static SourceLocation doneAt(const DeclRefExpr &Ref, const FunctionBody &Body) {
  const Stmt *P = Body.parent(&Ref);
  while (P && isa<ImplicitCastExpr, ParenExpr>(P))
    P = Body.parent(P);
  const Expr *Target = nullptr;
  if (const auto *Op = dyn_cast_or_null<CXXOperatorCallExpr>(P);
      Op && Op->getOperator() == OO_Equal)
    Target = Op->getArg(0);
  else if (const auto *Assign = dyn_cast_or_null<BinaryOperator>(P);
           Assign && Assign->getOpcode() == BO_Assign)
    Target = Assign->getLHS();
  return Target && stripped(Target) == &Ref ? P->getEndLoc()
                                            : Ref.getBeginLoc();
}

/// Flags, and variables that are empty until something is put into them, which
/// were set before \p Try and cannot have changed when an await in it throws.
CancellationState seed(const FunctionBody &Body, const CXXTryStmt &Try,
                       const CancellationEvaluator &Evaluator) {
  CancellationState State;
  const Stmt *Loop = Body.enclosingLoop(&Try);
  llvm::DenseSet<const ValueDecl *> Changed;
  for (const Stmt *S : Body.statements()) {
    const auto *Ref = dyn_cast<DeclRefExpr>(S);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !isTestable(Var->getType()))
      continue;
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Body.parent(S));
    if (Cast && Cast->getCastKind() == CK_LValueToRValue)
      continue;
    // What comes after the last await of the `try` has not happened.
    bool After = true;
    if (Body.contains(Try.getTryBlock(), S)) {
      SourceLocation Done = doneAt(*Ref, Body);
      for (const Expr *Await : Body.suspensions())
        if (Body.contains(Try.getTryBlock(), Await) &&
            Done < Await->getBeginLoc())
          After = false;
    } else {
      // Behind it, unless a loop leads back here.
      After = S->getBeginLoc() > Try.getBeginLoc() &&
              (!Loop || !Body.contains(Loop, S) || Body.contains(&Try, S));
      // A handler's assignments are followed, its calls are not.
      if (Body.contains(&Try, S) && (Loop || !Var->getType()->isScalarType()))
        After = doneAt(*Ref, Body) != Ref->getBeginLoc() && !Loop;
    }
    if (!After)
      Changed.insert(Var);
  }
  auto None = [](const CallExpr &,
                 const CancellationState &) -> std::optional<Meaning> {
    return std::nullopt;
  };
  for (const Stmt *S : Body.statements())
    if (const auto *Decls = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          if (isTestable(Var->getType()) && Var->getInit() &&
              !Changed.contains(Var) &&
              Var->getLocation() < Try.getBeginLoc()) {
            const auto *Made =
                dyn_cast<CXXConstructExpr>(stripped(Var->getInit()));
            Meaning M = Made && argumentsOf(*Made).empty()
                            ? Meaning::Nothing
                            : Evaluator.evaluate(Var->getInit(), State, None);
            if (M != Meaning::Unknown)
              State.Variables[Var] = M;
          }
  return State;
}

} // namespace

FlowResult
CancellationFlow::fromHandler(const FunctionBody &Body, const CXXTryStmt &Try,
                              const CXXCatchStmt &Handler,
                              llvm::ArrayRef<ThrownCancellation> Thrown) {
  Execution Run(Context, Body, Thrown, 0);
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  const CFGBlock *Block = Cfg.valid() ? Cfg.handlerBlock(&Handler) : nullptr;
  if (!Block) {
    Run.Result.Complete = false;
    return Run.Result;
  }
  Run.retryIs(&Try);
  CancellationState State =
      seed(Body, Try, CancellationEvaluator(Context.roles(), Thrown));
  if (const VarDecl *Var = Handler.getExceptionDecl())
    State.Variables[Var] = Meaning::Cancellation;
  Run.run(Block, 0, std::move(State), &Handler);
  return std::move(Run.Result);
}

FlowResult
CancellationFlow::fromValue(const FunctionBody &Body, const Expr &Await,
                            const CancellationArrivals::ValueResult &Value,
                            llvm::ArrayRef<ThrownCancellation> Thrown) {
  Execution Run(Context, Body, Thrown, 0, Value.Target ? nullptr : &Await);
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  CfgPoint At = Cfg.valid() ? Cfg.find(&Await) : CfgPoint();
  if (!At) {
    Run.Result.Complete = false;
    return Run.Result;
  }
  Run.retryIs(&Await);
  Run.overwrites(Value.Target);
  CancellationState State;
  if (Value.Target)
    State.Variables[Value.Target] = Meaning::Cancellation;
  Run.run(At.Block, At.Index + 1, std::move(State), nullptr);
  return std::move(Run.Result);
}

FlowResult
CancellationFlow::fromParameter(const FunctionBody &Body, unsigned Index,
                                llvm::ArrayRef<ThrownCancellation> Thrown) {
  Execution Run(Context, Body, Thrown, 0);
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  if (!Cfg.valid()) {
    Run.Result.Complete = false;
    return Run.Result;
  }
  CancellationState State;
  if (Index < Body.function().getNumParams())
    State.Variables[Body.function().getParamDecl(Index)] =
        Meaning::Cancellation;
  Run.run(&Cfg.graph().getEntry(), 0, std::move(State), nullptr);
  return std::move(Run.Result);
}

} // namespace async_tidy
