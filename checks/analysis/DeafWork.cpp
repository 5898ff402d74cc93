//===--- DeafWork.cpp -----------------------------------------------------===//

#include "DeafWork.h"
#include "Callables.h"
#include "ExecutionContext.h"
#include "Tokens.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxDepth = 5;

//===----------------------------------------------------------------------===//
// What work can ask
//===----------------------------------------------------------------------===//

static bool saysStop(llvm::StringRef Name) {
  std::string Lower = Name.lower();
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{
          "stop", "cancel", "abort", "interrupt", "timeout", "time_out",
          "deadline", "expire", "quit", "shutdown", "shutting"},
      [&](llvm::StringRef Word) {
        return llvm::StringRef(Lower).contains(Word);
      });
}

/// \p E carries, or asks for, the news that the work should end, or is a limit.
bool DeafWorks::isListening(const Expr &E) {
  const SymbolRoles &Roles = Context.roles();
  QualType T = E.getType().getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  if (isDurationType(T) || isTimePointType(T) ||
      Context.get<Tokens>().carriedBy(E.getType()) ||
      Roles.findType(T, Role::Deadline) || Roles.findType(T, Role::Source))
    return true;
  for (Role Kind : {Role::CancellationTest, Role::CancellationCheck,
                    Role::CurrentToken, Role::ClockNow})
    if (Roles.find(&E, Kind))
      return true;
  const NamedDecl *Named = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
    Named = Ref->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(&E))
    Named = Member->getMemberDecl();
  if (!Named)
    return false;
  return (Named->getDeclName().isIdentifier() && saysStop(Named->getName())) ||
         // A flag that somebody else may set.
         (!isa<FunctionDecl>(Named) && T->isRecordType() &&
          (canonicalName(*T->getAsRecordDecl()) == "std::atomic" ||
           canonicalName(*T->getAsRecordDecl()) == "std::atomic_flag"));
}

bool DeafWorks::hears(const Stmt *S, const FunctionBody *Inside) {
  bool Found = false;
  walkWritten(S, [&](const Stmt &Part) {
    if (const auto *E = dyn_cast<Expr>(&Part))
      Found |= isListening(*E);
    return !Found;
  });
  if (Found || !Inside)
    return Found;
  for (const Stmt *Part : Inside->statements()) {
    if (const auto *E = dyn_cast<Expr>(Part); E && isListening(*E))
      return true;
    // A loop that goes on until something outside it says otherwise.
    const Expr *Condition = loopCondition(*Part);
    if (!Condition)
      continue;
    walkWritten(Condition, [&](const Stmt &Asked) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Asked);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      Found |= Var && Ref->refersToEnclosingVariableOrCapture() &&
               Var->getType().getNonReferenceType()->isBooleanType();
      return !Found;
    });
  }
  return Found;
}

/// There is something in \p Body that may take its time.
bool DeafWorks::isLong(const FunctionBody &Body, bool OnPool) {
  Durations &D = Context.get<Durations>();
  for (const Stmt *S : Body.statements()) {
    if (OnPool) {
      // What is sent to a pool is sent there for a reason, provided it does
      // more than to set a variable.
      if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
        return true;
      if (const auto *Call = dyn_cast<CallExpr>(S);
          Call && !isa<CXXOperatorCallExpr>(Call)) {
        const FunctionDecl *F = Call->getDirectCallee();
        if (!F || (!F->isInStdNamespace() &&
                   !Context.roles().find(Call, Role::Logging)))
          return true;
      }
      if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
          Op && Op->getOperator() == OO_Call)
        return true;
      continue;
    }
    // Elsewhere only a loop that nobody can count the turns of is long for
    // sure.
    if (!isa<ForStmt, WhileStmt, DoStmt>(S))
      continue;
    const Expr *Condition = loopCondition(*S);
    const auto *Test =
        Condition ? dyn_cast<BinaryOperator>(stripped(Condition)) : nullptr;
    if (Test && Test->isComparisonOp() &&
        (D.fold(Test->getRHS()).High || D.fold(Test->getLHS()).High))
      continue;
    bool Calls = false;
    walkWritten(S, [&](const Stmt &Part) {
      const FunctionDecl *F =
          isa<Expr>(Part) ? directCallee(cast<Expr>(&Part)) : nullptr;
      Calls |= F && !F->isInStdNamespace() && !isa<CXXConversionDecl>(F) &&
               !isa<CXXOperatorCallExpr>(Part);
      return !Calls;
    });
    if (Calls)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// What work holds
//===----------------------------------------------------------------------===//

llvm::SmallVector<const ValueDecl *, 4> borrowedBy(const Expr *Work) {
  llvm::SmallVector<const ValueDecl *, 4> Found;
  auto Add = [&](const ValueDecl *V) {
    if (const auto *Var = dyn_cast_or_null<VarDecl>(V);
        Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
        !llvm::is_contained(Found, V) && Found.size() < 4)
      Found.push_back(V);
  };
  walkWritten(Work, [&](const Stmt &S) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S)) {
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          Add(C.getCapturedVar());
      return true;
    }
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (!F || isa<CXXOperatorCallExpr>(Call))
      return true;
    for (unsigned I = 0; I < Call->getNumArgs() && I < F->getNumParams(); ++I)
      if (F->getParamDecl(I)->getType()->isLValueReferenceType())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Call->getArg(I))))
          Add(Ref->getDecl());
    return true;
  });
  return Found;
}

DeafWorks::Result DeafWorks::dropped(const FunctionBody &Body, const Expr *E) {
  const SymbolRoles &Roles = Context.roles();
  E = Context.get<Limits>().resolve(Body, E);
  const FunctionDecl *F = directCallee(E);
  if (!F || isNamedAsTidyingUp(*F) || isa<CXXOperatorCallExpr>(E) ||
      Roles.find(E, Role::Sleep) || Roles.find(E, Role::BestEffort) ||
      Roles.find(E, Role::Acquire))
    return std::nullopt;
  for (const Expr *Arg : argumentsOf(*E))
    if (isListening(*Arg) || isListening(*stripped(Arg)))
      return std::nullopt;
  for (const Expr *Arg : argumentsOf(*E)) {
    const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Arg));
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    // A guard that was moved away is held until the work ends.
    if (Var && Var->hasLocalStorage() && !Arg->isLValue() &&
        (Roles.findType(Var->getType(), Role::Guard) ||
         Roles.findType(Var->getType(), Role::LockGuard)) &&
        !Var->getType()->isReferenceType())
      return DeafWork{DeafWork::Dropped, E, E, Var, /*IsGuard=*/true};
  }
  // What runs elsewhere, on another stack or shard, uses its captures later.
  if (Context.get<ExecutionContext>().runsElsewhere(*E))
    for (const Expr *Arg : argumentsOf(*E))
      if (const LambdaExpr *Lambda = writtenLambda(*Arg))
        for (const LambdaCapture &C : Lambda->captures())
          if (const auto *Var = C.capturesVariable()
                                    ? dyn_cast<VarDecl>(C.getCapturedVar())
                                    : nullptr;
              Var && C.getCaptureKind() == LCK_ByRef &&
              Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
              !hears(nullptr,
                     Context.get<Coroutines>().body(Lambda->getCallOperator())))
            return DeafWork{DeafWork::Dropped, E, E, Var};
  // A function that keeps what it got by reference shows it: it is a coroutine
  // of this file.
  if (!Context.get<Coroutines>().isCoroutine(F))
    return std::nullopt;
  for (unsigned I = 0; I < argumentsOf(*E).size() && I < F->getNumParams();
       ++I) {
    const Expr *Arg = stripped(argumentsOf(*E)[I]);
    const auto *Ref = dyn_cast<DeclRefExpr>(Arg);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
        F->getParamDecl(I)->getType()->isLValueReferenceType())
      return DeafWork{DeafWork::Dropped, E, E, Var};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

DeafWorks::Result DeafWorks::offloaded(const FunctionBody &Body, const Expr *E,
                                       const Policy &P, unsigned Depth) {
  const SymbolRoles &Roles = Context.roles();
  auto Args = argumentsOf(*E);
  auto IsCallable = [&](const Expr &A) {
    const Expr *Behind = Context.get<Limits>().resolve(Body, &A);
    return isa<LambdaExpr>(Behind) || calledBy(*Behind) != nullptr;
  };
  const Expr *Callable = nullptr;
  for (const Entry *En : Roles.entries(E))
    if (!Callable && (En->Kind == Role::Offload || En->Kind == Role::Spawn))
      Callable = Roles.argument(*E, En->Callable, IsCallable);
  for (const Expr *Arg : Args)
    if (!Callable && IsCallable(*Arg))
      Callable = Arg;
  if (!Callable)
    return std::nullopt;
  const Expr *Behind = Context.get<Limits>().resolve(Body, Callable);
  const FunctionDecl *Runs = calledBy(*Behind);
  if (!Runs)
    return std::nullopt;
  if (isAwaitableType(Runs->getReturnType(), Context.ast()))
    return searchBody(*Runs, P, Depth + 1, /*OnPool=*/true, E);
  for (const Expr *Arg : Args)
    // Another callable is there to stop the first one.
    if (hears(Arg, nullptr) || (Arg != Callable && IsCallable(*Arg)))
      return std::nullopt;
  if (const Expr *Object = objectOf(*E); Object && isListening(*Object))
    return std::nullopt;
  const FunctionBody *Inside = Context.get<Coroutines>().body(Runs);
  if (Inside && (hears(nullptr, Inside) || !isLong(*Inside, /*OnPool=*/true)))
    return std::nullopt;
  if (const auto *Lambda = dyn_cast<LambdaExpr>(Behind))
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable() &&
          Context.get<Tokens>().carriedBy(C.getCapturedVar()->getType()))
        return std::nullopt;
  return DeafWork{DeafWork::Offloaded, E, Callable};
}

DeafWorks::Result DeafWorks::search(const FunctionBody &Body, const Expr *E,
                                    const Policy &P, unsigned Depth,
                                    bool OnPool, bool SkipTokens) {
  Limits &All = Context.get<Limits>();
  const SymbolRoles &Roles = Context.roles();
  E = All.resolve(Body, E);
  if (!E || Depth > MaxDepth || isSuspension(*E))
    return std::nullopt;
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return searchBody(*Lambda->getCallOperator(), P, Depth + 1, OnPool, E);
  if (!isa<CallExpr, CXXConstructExpr>(E) || All.shieldAt(Body, E) ||
      Roles.find(E, Role::Commit) || Roles.find(E, Role::BestEffort))
    return std::nullopt;
  // What has a limit of its own is looked at there.
  if (!SkipTokens)
    for (const Limit &Inner : All.limitsIn(Body, E))
      if (Inner.At == E || llvm::is_contained(Inner.Work, E))
        return std::nullopt;
  const FunctionDecl *F = directCallee(E);
  bool ToPool =
      Context.get<ExecutionContext>().offloads(*E) || (F && P.Offloads(*F));
  if (ToPool)
    if (Result Found = offloaded(Body, E, P, Depth))
      return Found;
  auto Args = argumentsOf(*E);
  for (const Expr *Arg : Args)
    if (isAwaitableType(stripped(Arg)->getType(), Context.ast()))
      if (Result Found =
              search(Body, Arg, P, Depth + 1, OnPool || ToPool, false))
        return Found;
  if (const Expr *Object = objectOf(*E)) {
    const Expr *From = All.resolve(Body, Object);
    bool Started = isa<CallExpr>(From) &&
                   (isAwaitableType(From->getType(), Context.ast()) ||
                    Context.get<ExecutionContext>().offloads(*From));
    if (Started || isa<CallExpr>(stripped(Object)))
      if (Result Found =
              search(Body, From, P, Depth + 1, OnPool || ToPool, false))
        return Found;
  }
  return F && !ToPool ? searchBody(*F, P, Depth + 1, OnPool, E) : std::nullopt;
}

DeafWorks::Result DeafWorks::searchBody(const FunctionDecl &F, const Policy &P,
                                        unsigned Depth, bool OnPool,
                                        const Expr *Call) {
  const FunctionBody *Body = Context.get<Coroutines>().body(&F);
  const SymbolRoles &Roles = Context.roles();
  if (!Body || Depth > MaxDepth || Body->statements().size() > 1000 ||
      Context.ast().getSourceManager().isInSystemHeader(
          Body->function().getLocation()) ||
      Roles.find(&F, Role::Commit) || isNamedAsTidyingUp(F))
    return std::nullopt;
  auto Through = [&](Result Found) {
    if (Found)
      Found->Chain.insert(Found->Chain.begin(), &Body->function());
    return Found;
  };
  // Of several waits some may hear, so all must be deaf.
  const Expr *Only = nullptr;
  for (const Expr *Outcome : outcomesOf(*Body)) {
    const Expr *E = Context.get<Limits>().resolve(*Body, Outcome);
    if (!E || Roles.find(E, Role::Immediate))
      continue;
    bool Moves = false;
    walkWritten(E, [&](const Stmt &Part) {
      if (const auto *Sub = dyn_cast<Expr>(&Part)) {
        OnPool |= Roles.find(Sub, Role::ResumeOnPool) != nullptr;
        Moves |= Roles.find(Sub, Role::ResumeOnPool) ||
                 Roles.find(Sub, Role::ResumeOnLoop);
      }
      return true;
    });
    if (Moves)
      continue;
    if (Only)
      return std::nullopt;
    Only = Outcome;
  }
  if (Only) {
    // A handler, or a loop around it, may ask what has happened.
    if (Body->enclosingLoop(Only))
      return std::nullopt;
    return Through(search(*Body, Only, P, Depth + 1, false, false));
  }
  if (!Body->isCoroutine() || hears(nullptr, Body) || !isLong(*Body, OnPool))
    return std::nullopt;
  return Through(DeafWork{DeafWork::Computing, Call, Call});
}

std::optional<DeafWork> DeafWorks::under(const FunctionBody &Body,
                                         const Limit &L, const Policy &P) {
  // The shield of such a limit is the fault.
  if (L.Model && L.Model->Severs)
    return std::nullopt;
  for (const Expr *Work : L.Work) {
    if (Result Found = search(Body, Work, P, 0, /*OnPool=*/false,
                              /*SkipTokens=*/L.How == Limit::Token))
      return Found;
    if (L.Model && L.Model->Expiry == OnExpiry::Abandons)
      if (Result Found = dropped(Body, Work))
        return Found;
  }
  return std::nullopt;
}

} // namespace async_tidy
