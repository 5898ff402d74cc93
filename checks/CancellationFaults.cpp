//===--- CancellationFaults.cpp -------------------------------------------===//

#include "CancellationFaults.h"
#include "analysis/Callables.h"
#include "analysis/CancellationState.h"
#include "analysis/Fibers.h"
#include "analysis/OutsideCancellation.h"
#include "analysis/TestCode.h"
#include "clang/AST/StmtCXX.h"

using namespace async_tidy;

namespace clang::tidy::async {

bool CancellationFaults::statesTestResult(const CXXCatchStmt &Handler) const {
  bool Found = false;
  walkWritten(Handler.getHandlerBlock(), [&](const Stmt &S) {
    Found |= isInTestMacro(S.getBeginLoc(), Context.roles());
    return !Found;
  });
  return Found;
}

bool CancellationFaults::cancelledItself(const FunctionBody &Body,
                                         const Stmt &Before) const {
  const SymbolRoles &Roles = Context.roles();
  // `if (!source.requested()) source.request();` requests it in any case.
  auto Around = [&](const CallExpr &Request) {
    const Stmt *Block = Body.enclosing<CompoundStmt>(&Request);
    const auto *If =
        dyn_cast_or_null<IfStmt>(Block ? Body.parent(Block) : nullptr);
    return If && !If->getElse() &&
                   findWritten(If->getCond(), Roles, {Role::CancellationTest})
               ? Body.enclosing<CompoundStmt>(If)
               : Block;
  };
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *Call = dyn_cast<CallExpr>(S);
    return Call && Call->getBeginLoc() < Before.getBeginLoc() &&
           Roles.find(Call, Role::CancellationRequest) &&
           Body.contains(Around(*Call), &Before);
  });
}

/// The kind of fault that the outcomes amount to, worst first.
static std::optional<std::pair<CancellationFault, PathOutcome>>
judge(const FlowResult &Flow) {
  struct Rank {
    PathEnd End;
    CancellationFault Fault;
  };
  constexpr Rank Ranks[] = {
      {PathEnd::Retries, CancellationFault::Retried},
      {PathEnd::Returns, CancellationFault::Swallowed},
      {PathEnd::Converts, CancellationFault::Converted},
      {PathEnd::FallsOff, CancellationFault::Swallowed},
  };
  for (const Rank &R : Ranks)
    if (const PathOutcome *O = Flow.find(R.End))
      return std::make_pair(R.Fault, *O);
  if (const PathOutcome *O = Flow.find(PathEnd::Acknowledged))
    return std::make_pair(CancellationFault::Swallowed, *O);
  return std::nullopt;
}

/// The bool that \p S returns as a literal.
static std::optional<bool> returnedLiteral(const Stmt *S) {
  const auto *Return = dyn_cast_or_null<CoreturnStmt>(S);
  const Expr *Value = Return ? Return->getOperand() : nullptr;
  const auto *Literal =
      dyn_cast_or_null<CXXBoolLiteralExpr>(Value ? stripped(Value) : nullptr);
  return Literal ? std::optional<bool>(Literal->getValue()) : std::nullopt;
}

/// The caller is told by a bool whether \p Try came to its end: its \p Handler
/// for cancellations gives the opposite of what is returned without one.
static bool answersWhetherDone(const FunctionBody &Body, const CXXTryStmt &Try,
                               const PathOutcome &Outcome) {
  std::optional<bool> Cancelled = returnedLiteral(Outcome.Where);
  if (!Cancelled)
    return false;
  const CompoundStmt *Block = Try.getTryBlock();
  const Stmt *Next = Block->body_empty() ? nullptr : Block->body_back();
  if (!returnedLiteral(Next))
    if (const auto *Around = dyn_cast_or_null<CompoundStmt>(Body.parent(&Try)))
      if (const auto *At = llvm::find(Around->body(), &Try);
          At != Around->body_end() && std::next(At) != Around->body_end())
        Next = *std::next(At);
  return returnedLiteral(Next) == !*Cancelled;
}

/// Nobody outside can cancel \p Body, or nobody looks at how it ends when it
/// was cancelled.
bool CancellationFaults::endsWithoutWitness(const FunctionBody &Body,
                                            const CXXTryStmt &Try,
                                            const Arrival &Arriving,
                                            const PathOutcome &Outcome) const {
  if (!Arriving.Lib || !Arriving.Lib->ImplicitPropagation ||
      Context.get<CancellationArrivals>().passesToken(*Try.getTryBlock(), Body))
    return false;
  auto &Outside = Context.get<OutsideCancellation>();
  // Who has lost may end, but not go on with what comes next.
  const bool Ends = Outcome.End != PathEnd::Retries && !Outcome.Awaited;
  return !Outside.reaches(Body.function()) ||
         (Ends && Outside.onlyLosesRaces(Body.function()));
}

/// Behind \p Await, however it ended, \p Body only tidies up.
static bool onlyTidiesUpAfter(const FunctionBody &Body, const Expr &Await,
                              const FlowResult &Flow,
                              const SymbolRoles &Roles) {
  if (llvm::any_of(
          Flow.Outcomes,
          [](const PathOutcome &O) { return O.End != PathEnd::FallsOff; }) ||
      llvm::any_of(Flow.Late, [&](const LateAwait &L) {
        return !findWritten(L.Await, Roles, {Role::BestEffort});
      }))
    return false;
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *Call = dyn_cast<CallExpr>(S);
    return Call && Call->getBeginLoc() > Await.getEndLoc() &&
           Roles.find(Call, Role::BestEffort);
  });
}

/// \p Handler takes nothing but cancellations.
static bool namesCancellation(const CXXCatchStmt &Handler,
                              const CancellationArrivals &Arrivals) {
  std::optional<ThrownCancellation> Own = Arrivals.namedBy(Handler);
  return Own && !Own->byCode();
}

void CancellationFaults::handlers(const FunctionBody &Body,
                                  const CXXTryStmt &Try,
                                  std::vector<CancellationFinding> &Out) {
  auto &Arrivals = Context.get<CancellationArrivals>();
  auto &Coros = Context.get<Coroutines>();
  Arrival Arriving = Arrivals.at(Try, Body);
  auto IsRedelivered = [&](const PathOutcome &O) {
    return O.Awaited && Arriving.Lib && Arriving.Lib->Sticky;
  };
  auto IsSeenByCallers = [&] {
    return Arriving.Lib && Arriving.Lib->Sticky &&
           Context.get<OutsideCancellation>().isFollowedByAwaits(
               Body.function());
  };
  llvm::SmallVector<ThrownCancellation, 2> Left = Arriving.Thrown;
  for (unsigned I = 0; I != Try.getNumHandlers() && !Left.empty(); ++I) {
    const CXXCatchStmt &Handler = *Try.getHandler(I);
    llvm::SmallVector<ThrownCancellation, 2> Taken;
    for (const ThrownCancellation &T : Left)
      if (catches(Handler, T))
        Taken.push_back(T);
    llvm::erase_if(Left, [&](const ThrownCancellation &T) {
      return llvm::any_of(Taken, [&](const ThrownCancellation &Known) {
        return Known.Model == T.Model;
      });
    });
    if (Taken.empty() ||
        isInTestMacro(Handler.getCatchLoc(), Context.roles()) ||
        statesTestResult(Handler))
      continue;
    FlowResult Flow =
        Context.get<CancellationFlow>().fromHandler(Body, Try, Handler, Taken);
    if (!Flow.Complete)
      continue;
    // What is thrown later, for a reason of its own, is no other name for this
    // error: the coroutine went on.
    for (PathOutcome &O : Flow.Outcomes)
      if (O.End == PathEnd::Converts && !O.Tested && O.Unrelated)
        O.End = PathEnd::FallsOff;
    auto Judged = judge(Flow);
    if (!Judged) {
      bool OwnType = namesCancellation(Handler, Arrivals);
      if (const Expr *Cleanup =
              Arriving.Lib && !Flow.Outcomes.empty() &&
                      !cancelledItself(Body, Try)
                  ? failingCleanup(Body, Try, Flow, *Arriving.Lib, OwnType)
                  : nullptr)
        Out.push_back({CancellationFault::Unshielded, Cleanup->getBeginLoc(),
                       Flow, Flow.Outcomes.front(), Taken.front(), Arriving.Lib,
                       Arriving.Source, &Try, &Handler, nullptr, Excuse::None,
                       Cleanup});
      continue;
    }
    auto [Fault, Outcome] = *Judged;
    if (namesCancellation(Handler, Arrivals) &&
        answersWhetherDone(Body, Try, Outcome))
      continue;
    const Expr *Limit = ambiguousLimit(Body, Try.getTryBlock());
    if (Limit) {
      // What is awaited next fails again if it was no timeout.
      const PathOutcome *Lost = Flow.find(PathEnd::Retries);
      for (const PathOutcome &O : Flow.Outcomes)
        if (!Lost && !IsRedelivered(O) &&
            (O.End == PathEnd::Returns || O.End == PathEnd::Converts ||
             O.End == PathEnd::FallsOff))
          Lost = &O;
      if (!Lost || tellsApart(Body, Try) || cancelledItself(Body, Try) ||
          (Lost->End != PathEnd::Retries && IsSeenByCallers()) ||
          !Context.get<OutsideCancellation>().reaches(Body.function()))
        continue;
      Outcome = *Lost;
      Fault = Outcome.End == PathEnd::Retries ? CancellationFault::Retried
                                              : CancellationFault::Confused;
    }
    Excuse Excused = Excuse::None;
    // Nobody waits for a detached root, so it may end; it must only not go on.
    if (Outcome.End == PathEnd::Acknowledged)
      Excused = Excuse::TokenAsked;
    else if (cancelledItself(Body, Try))
      Excused = Excuse::OwnChild;
    else if ((Fault != CancellationFault::Retried || IsRedelivered(Outcome)) &&
             (Coros.isDetachedRoot(Body.function()) ||
              endsWithoutWitness(Body, Try, Arriving, Outcome) ||
              (Outcome.End == PathEnd::FallsOff &&
               endsOnlyWhenStopped(Body, Try, Context))))
      Excused = Excuse::DetachedRoot;
    Out.push_back({Fault, Handler.getCatchLoc(), Flow, Outcome, Taken.front(),
                   Arriving.Lib, Arriving.Source, &Try, &Handler, nullptr,
                   Excused, Limit});
  }
}

void CancellationFaults::values(const FunctionBody &Body, const Expr &Await,
                                std::vector<CancellationFinding> &Out) {
  auto &Arrivals = Context.get<CancellationArrivals>();
  auto &Coros = Context.get<Coroutines>();
  const SymbolRoles &Roles = Context.roles();
  CancellationArrivals::ValueResult Value = Arrivals.valueResult(Await);
  if (!Value.Model || Value.Escapes || !Arrivals.cancellable(Await))
    return;
  const Library *Lib = Value.Model->Owner;
  if (!Lib || Lib->Cancellation == Delivery::None)
    Lib = Coros.library(Body.function());
  if (!Lib || Lib->Cancellation == Delivery::None ||
      !Arrivals.reaches(*Lib, Await, Body) || cancelledItself(Body, Await))
    return;
  bool Tidying = false, Waiting = false, Voided = false;
  walkWritten(suspensionOperand(Await), [&](const Stmt &S) {
    if (const auto *E = dyn_cast<Expr>(&S)) {
      // Waiting for all, whatever becomes of them, is a barrier.
      Waiting |= Roles.find(E, Role::Gather) != nullptr;
      Tidying |= Roles.find(E, Role::BestEffort) != nullptr;
      Waiting |= Roles.find(E, Role::TimerWait) || Roles.find(E, Role::Sleep);
    }
    return true;
  });
  for (const Stmt *P = Body.parent(&Await); isa_and_nonnull<Expr>(P);
       P = Body.parent(P))
    Voided |= isa<CStyleCastExpr>(P) && cast<Expr>(P)->getType()->isVoidType();
  if (Tidying || Voided)
    return;
  FlowResult Flow = Context.get<CancellationFlow>().fromValue(
      Body, Await, Value, Arrivals.thrownBy(*Lib));
  if (!Flow.Complete || Flow.Outcomes.empty())
    return;
  auto Report = [&](CancellationFault Fault, SourceLocation Where,
                    const PathOutcome &O, const Expr *Conversion,
                    const Expr *Other = nullptr) {
    Out.push_back({Fault,
                   Where,
                   Flow,
                   O,
                   {},
                   Lib,
                   &Await,
                   nullptr,
                   nullptr,
                   Conversion,
                   Excuse::None,
                   Other});
  };
  CancellationEvaluator Evaluator(Roles, Arrivals.thrownBy(*Lib));
  if (const Expr *Limit = ambiguousLimit(Body, &Await)) {
    // Only who asks for this very code says what it takes it for.
    for (const PathOutcome &O : Flow.Outcomes) {
      bool Redelivered = O.Awaited && Lib->Sticky;
      bool Lost = O.End == PathEnd::Retries ||
                  ((O.End == PathEnd::Returns || O.End == PathEnd::Converts) &&
                   !Redelivered);
      if (!Lost || !O.Tested || !O.Test ||
          !Evaluator.namesCancellation(O.Test) || tellsApart(Body, Await) ||
          !Context.get<OutsideCancellation>().reaches(Body.function()))
        continue;
      return Report(O.End == PathEnd::Retries ? CancellationFault::Retried
                                              : CancellationFault::Confused,
                    O.Test->getBeginLoc(), O, nullptr, Limit);
    }
    return;
  }
  bool Root = Coros.isDetachedRoot(Body.function());
  bool Passed = llvm::all_of(Flow.Outcomes, [](const PathOutcome &O) {
    return O.End == PathEnd::Propagates || O.End == PathEnd::HandsOn;
  });
  if (Passed) {
    const auto *Named = llvm::find_if(Flow.Late, [&](const LateAwait &L) {
      return L.Test && Evaluator.namesCancellation(L.Test);
    });
    if (Named != Flow.Late.end())
      if (const Expr *Cleanup =
              failingCleanup(Body, Await, Flow, *Lib, /*Certain=*/true))
        Report(CancellationFault::Unshielded, Cleanup->getBeginLoc(),
               Flow.Outcomes.front(), nullptr, Cleanup);
    return;
  }
  bool Unread = llvm::all_of(Flow.Outcomes, [](const PathOutcome &O) {
    return !O.Tested &&
           (O.End == PathEnd::FallsOff || O.End == PathEnd::Returns ||
            O.End == PathEnd::Retries);
  });
  if (Unread && Flow.Asked)
    return;
  if (Unread && onlyTidiesUpAfter(Body, Await, Flow, Roles))
    return;
  // A timer that is cancelled is a usual way to wake somebody.
  if (Unread && !Waiting && !Root)
    return Report(CancellationFault::Ignored, Await.getBeginLoc(),
                  Flow.Outcomes.front(), nullptr);
  // A holder stands for an exception: to answer its failure with a value is
  // what `catch (...)` with a value would be. A code may well be an answer.
  bool HoldsException =
      Roles.findType(Await.getType(), Role::ErrorHolder) != nullptr;
  for (const PathOutcome &O : Flow.Outcomes) {
    // Who asks for the cancellation by name has an answer to it.
    if (O.End == PathEnd::Returns && O.Tested && HoldsException && !Root &&
        !O.Named)
      return Report(CancellationFault::Swallowed, Await.getBeginLoc(), O,
                    Value.Conversion);
    // The next await of a cancelled coroutine throws, which ends a root.
    if (O.End == PathEnd::Retries && O.Tested && O.Test &&
        !(Root && Lib->Sticky))
      return Report(CancellationFault::Retried, O.Test->getBeginLoc(), O,
                    nullptr);
  }
}

/// The handler that \p Callable is. A generic lambda without an instance is the
/// pattern, as there is nothing else to read.
static const FunctionDecl *handlerOf(const Expr &Callable) {
  if (const FunctionDecl *F = calledBy(Callable))
    return F;
  const LambdaExpr *Lambda = writtenLambda(Callable);
  return Lambda ? Lambda->getCallOperator() : nullptr;
}

/// Whether the generic function \p Handler, which is given an error, might do
/// something else with it than write it to a log. Judged by its text alone.
bool CancellationFaults::passesErrorOn(const FunctionDecl &Handler) const {
  const SymbolRoles &Roles = Context.roles();
  auto Mentions = [&](const Stmt *S) {
    bool Found = false;
    walkWritten(S, [&](const Stmt &Part) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
        Found |= isa<ParmVarDecl>(Ref->getDecl());
      return !Found;
    });
    return Found;
  };
  bool PassesOn = false;
  walkWritten(Handler.getBody(), [&](const Stmt &S) {
    if (isa<CXXThrowExpr, LambdaExpr, BinaryOperator, CXXOperatorCallExpr,
            IfStmt, SwitchStmt, CXXTryStmt>(S))
      PassesOn = true;
    if (const auto *Return = dyn_cast<ReturnStmt>(&S))
      PassesOn |= Return->getRetValue() && Mentions(Return->getRetValue());
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (!Call || PassesOn)
      return !PassesOn;
    bool Logs = Roles.find(Call, Role::Logging) != nullptr;
    if (const auto *Member =
            dyn_cast<UnresolvedMemberExpr>(Call->getCallee()->IgnoreParens()))
      Logs |=
          Roles.findType(Member->getBaseType()->isPointerType()
                             ? Member->getBaseType()->getPointeeType()
                             : Member->getBaseType(),
                         Role::Logging) ||
          Roles.models().find(canonicalName(*Member->getNamingClass()) +
                                  "::" + Member->getMemberName().getAsString(),
                              Role::Logging);
    else if (const auto *Named = dyn_cast<UnresolvedLookupExpr>(
                 Call->getCallee()->IgnoreParens()))
      Logs |= Roles.models().find(Named->getName().getAsString(),
                                  Role::Logging) != nullptr;
    if (!Logs)
      for (const Expr *Arg : Call->arguments())
        PassesOn |= Mentions(Arg);
    return !Logs && !PassesOn;
  });
  return PassesOn;
}

void CancellationFaults::continuations(const FunctionBody &Body,
                                       const Expr &Call,
                                       std::vector<CancellationFinding> &Out) {
  const SymbolRoles &Roles = Context.roles();
  const Entry *Model = Roles.find(&Call, Role::Continuation);
  if (!Model || !Model->Owner || Model->Receives.empty())
    return;
  auto &Arrivals = Context.get<CancellationArrivals>();
  const Library &Lib = *Model->Owner;
  const Expr *Work = objectOf(Call);
  if (!Work)
    Work = Roles.argument(Call, Model->Awaitable);
  const Expr *Callable = Roles.argument(Call, Model->Callable);
  const FunctionDecl *Handler = Callable ? handlerOf(*Callable) : nullptr;
  if (!Handler || !Work || isInTestMacro(Call.getExprLoc(), Roles) ||
      cancelledItself(Body, Call))
    return;
  // Who handles a cancellation by its name expects one.
  const bool Reached = Arrivals.reaches(Lib, *Work, Body);
  if (!Reached && Model->Receives != "error")
    return;
  // The errors of tidying up are dropped on purpose, those of detached work
  // have no other place to go; a timer that is cancelled wakes somebody.
  bool Exempt = findWritten(Work, Roles, {Role::BestEffort, Role::Sleep});
  for (const Stmt *P = Body.parent(&Call); P; P = Body.parent(P)) {
    if (isSuspension(*P) || isa<ReturnStmt, CoreturnStmt>(P))
      break;
    Exempt |= isKeptFiber(*P, Call, Roles);
    if (const auto *Cast = dyn_cast<CStyleCastExpr>(P);
        Cast && Cast->getType()->isVoidType())
      Exempt = true;
    if (!isa<Expr>(P))
      break;
  }
  if (Exempt)
    return;
  llvm::ArrayRef<ThrownCancellation> Thrown = Arrivals.thrownBy(Lib);
  if (Model->Receives == "error") {
    // Only errors of the parameter's type are handled.
    if (Handler->getNumParams() == 0)
      return;
    QualType T = Handler->getParamDecl(0)->getType().getNonReferenceType();
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    if (!Class || llvm::none_of(Thrown, [&](const ThrownCancellation &C) {
          return C.Class &&
                 (isSameOrBase(Class, C.Class) || isSameOrBase(C.Class, Class));
        }))
      return;
    if (!Reached && !Roles.findType(T, Role::CancellationType))
      return;
  }
  const FunctionBody *Inside = Context.get<Coroutines>().body(Handler);
  FlowResult Flow;
  PathOutcome Outcome{PathEnd::FallsOff, nullptr, false, nullptr, false};
  CancellationFault Fault = CancellationFault::Swallowed;
  if (Inside) {
    Flow = Context.get<CancellationFlow>().fromParameter(*Inside, 0, Thrown);
    auto Judged = judge(Flow);
    if (!Flow.Complete || !Judged ||
        Judged->second.End == PathEnd::Acknowledged)
      return;
    std::tie(Fault, Outcome) = *Judged;
  } else {
    // A generic lambda without an instance can only be read as written.
    if (!Handler->getBody() || passesErrorOn(*Handler))
      return;
  }
  if (Context.get<Coroutines>().isDetachedRoot(Body.function()))
    return;
  Out.push_back({Fault, Call.getExprLoc(), Flow, Outcome,
                 Thrown.empty() ? ThrownCancellation() : Thrown.front(), &Lib,
                 Work, nullptr, nullptr, &Call});
}

llvm::ArrayRef<CancellationFinding>
CancellationFaults::of(const FunctionBody &Body) {
  auto [It, New] = Known.try_emplace(&Body);
  if (!New)
    return It->second;
  std::vector<CancellationFinding> Found;
  const FunctionDecl &F = Body.function();
  // Closing is allowed to fail quietly, and a test states what it expects.
  bool Exempt = Context.roles().find(&F, Role::BestEffort) != nullptr ||
                Context.get<TestCode>().contains(F);
  bool Relevant = Body.isCoroutine() ||
                  Context.roles().findType(F.getReturnType(), Role::Task);
  if (!Exempt && Relevant)
    for (const Stmt *S : Body.statements()) {
      if (const auto *Try = dyn_cast<CXXTryStmt>(S); Try && Body.isCoroutine())
        handlers(Body, *Try, Found);
      else if (isSuspension(*S))
        values(Body, *cast<Expr>(S), Found);
      else if (isa<CallExpr>(S))
        continuations(Body, *cast<Expr>(S), Found);
    }
  for (CancellationFinding &Finding : Found)
    Finding.In = &Body;
  return Known[&Body] = std::move(Found);
}

} // namespace clang::tidy::async
