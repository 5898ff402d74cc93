//===--- CancellationAftermath.cpp ----------------------------------------===//
//
// The parts of CancellationFaults that look at what a coroutine does once it
// may have been cancelled: whether it can tell that from a timeout, and whether
// its cleanup still runs.
//
//===----------------------------------------------------------------------===//

#include "CancellationFaults.h"
#include "analysis/CancellationState.h"
#include "analysis/Limits.h"
#include "analysis/OutsideCancellation.h"
#include "analysis/TokenUse.h"

using namespace async_tidy;

namespace clang::tidy::async {

/// How far limits are followed into the coroutines of this file.
static constexpr unsigned MaxLimitDepth = 2;

const Expr *CancellationFaults::ambiguousLimit(const FunctionBody &Body,
                                               const Stmt *S,
                                               unsigned Depth) const {
  const SymbolRoles &Roles = Context.roles();
  const Expr *Found = nullptr;
  walkWritten(S, [&](const Stmt &Part) {
    const auto *E = dyn_cast<Expr>(&Part);
    if (!E || Found)
      return !Found;
    const Entry *Limit = Roles.find(E, Role::TimeoutToken);
    if (!Limit)
      if ((Limit = Roles.find(E, Role::Timeout)) && !Limit->AsCancellation)
        Limit = nullptr;
    if (Limit) {
      Found = E;
      return false;
    }
    // A token that was made before.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Var->hasLocalStorage() && Var->getInit() &&
          Body.contains(Body.body(), Var->getInit()))
        if (findWritten(Var->getInit(), Roles, Role::TimeoutToken))
          Found = Ref;
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    const FunctionBody *Inside =
        Callee && Depth < MaxLimitDepth && !Roles.find(E, Role::Spawn)
            ? Context.get<Coroutines>().body(Callee)
            : nullptr;
    if (!Inside || &Inside->function() == &Body.function())
      return !Found;
    // What it throws arrives here, unless it handles that itself.
    for (const Expr *Await : Inside->suspensions())
      if (!Inside->enclosing<CXXTryStmt>(Await) &&
          !Context.get<CancellationArrivals>().valueResult(*Await).Model &&
          ambiguousLimit(*Inside, suspensionOperand(*Await), Depth + 1))
        Found = Call;
    return !Found;
  });
  return Found;
}

bool CancellationFaults::tellsApart(const FunctionBody &Body,
                                    const Stmt &From) const {
  const SymbolRoles &Roles = Context.roles();
  llvm::DenseSet<const ValueDecl *> Flags;
  for (const Stmt *S : Body.statements())
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          Flags.insert(C.getCapturedVar());
  for (const Stmt *S : Body.statements()) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E || S->getEndLoc() < From.getBeginLoc())
      continue;
    // A flag of one's own says no more than the handler that set it.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Var->isLocalVarDecl() && Var->getType()->isBooleanType() &&
          !Flags.contains(Var))
        continue;
    // The clock says which it was, and so do one's own token and timer.
    for (Role R :
         {Role::CancellationTest, Role::CancellationCheck, Role::ClockNow})
      if (Roles.find(E, R))
        return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      if (Flags.contains(Ref->getDecl()) && !Body.contains(&From, Ref))
        return true;
    // A helper of this file that asks in its stead.
    if (const auto *Call = dyn_cast<CallExpr>(E))
      if (const FunctionBody *Helper =
              Context.get<Coroutines>().body(Call->getDirectCallee());
          Helper && !Helper->isCoroutine())
        for (const Stmt *Inner : Helper->statements())
          if (const auto *Sub = dyn_cast<Expr>(Inner))
            if (Roles.find(Sub, Role::CancellationTest) ||
                Roles.find(Sub, Role::ClockNow))
              return true;
  }
  return false;
}

/// The variables and members by which \p S names a token or its source.
static llvm::SmallVector<const ValueDecl *, 2>
tokensIn(const Stmt *S, const SymbolRoles &Roles) {
  llvm::SmallVector<const ValueDecl *, 2> Found;
  walkWritten(S, [&](const Stmt &Part) {
    const ValueDecl *D = nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
      D = Ref->getDecl();
    else if (const auto *Member = dyn_cast<MemberExpr>(&Part))
      D = Member->getMemberDecl();
    if (D && (Roles.findType(D->getType(), Role::Token) ||
              Roles.findType(D->getType(), Role::Source)))
      Found.push_back(D);
    return true;
  });
  return Found;
}

bool CancellationFaults::endedByItself(const FunctionBody &Body,
                                       const Stmt &Cancelled) const {
  const SymbolRoles &Roles = Context.roles();
  const auto *Try = dyn_cast<CXXTryStmt>(&Cancelled);
  for (const Expr *Await :
       suspensionsIn(Try ? Try->getTryBlock() : &Cancelled)) {
    const Expr *Operand = stripped(suspensionOperand(*Await));
    if (!Operand)
      continue;
    if (Roles.find(Operand, Role::TimerWait))
      return true;
    const Expr *Object = objectOf(*Operand);
    const auto *Member =
        Object ? dyn_cast<MemberExpr>(stripped(Object)) : nullptr;
    if (Member && isEndedElsewhere(*Member->getMemberDecl(), Body, Context))
      return true;
  }
  return false;
}

/// \p Body has said that its awaits shall not fail, or not be cancelled at all.
static bool hasOptedOut(const FunctionBody &Body, const SymbolRoles &Roles) {
  return llvm::any_of(Body.suspensions(), [&](const Expr *Await) {
    const Expr *Operand = stripped(suspensionOperand(*Await));
    if (!isa_and_nonnull<CallExpr>(Operand) ||
        !Roles.find(Operand, Role::Immediate))
      return false;
    bool Found = false;
    for (const Expr *Arg : argumentsOf(*Operand))
      walkWritten(Arg, [&](const Stmt &S) {
        const auto *E = dyn_cast<Expr>(&S);
        const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(&S);
        Found |= (Literal && !Literal->getValue()) ||
                 (E && Roles.find(E, Role::ShieldFilter));
        return !Found;
      });
    return Found;
  });
}

const Expr *CancellationFaults::failingCleanup(const FunctionBody &Body,
                                               const Stmt &Cancelled,
                                               const FlowResult &Flow,
                                               const Library &Lib,
                                               bool Certain) {
  const SymbolRoles &Roles = Context.roles();
  auto &Arrivals = Context.get<CancellationArrivals>();
  // What follows a `try` that returns follows its handlers alone.
  bool OnFailureOnly = false;
  if (const auto *Try = dyn_cast<CXXTryStmt>(&Cancelled))
    if (const CompoundStmt *Block = Try->getTryBlock(); !Block->body_empty())
      OnFailureOnly = isa<CoreturnStmt, BreakStmt, ContinueStmt, CXXThrowExpr>(
          Block->body_back());
  auto Fails = [&](const LateAwait &L) {
    const Expr *Operand = stripped(suspensionOperand(*L.Await));
    const auto *Call = dyn_cast_or_null<CallExpr>(Operand);
    // What it does with a failure, a `try` of its own says.
    if (!Call)
      return false;
    // What the library itself calls tidying up does not listen.
    if (const Entry *Tidying = Roles.find(Operand, Role::BestEffort);
        Tidying && !Lib.Sticky && Tidying->Owner == &Lib)
      return false;
    for (const Stmt *P = Body.parent(L.Await); P; P = Body.parent(P))
      if (const auto *Try = dyn_cast<CXXTryStmt>(P);
          Try && Body.contains(Try->getTryBlock(), L.Await) &&
          !Body.contains(Try, &Cancelled))
        return false;
    bool Exempt = Arrivals.valueResult(*L.Await).Model != nullptr;
    walkWritten(Operand, [&](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      if (!E || Exempt)
        return !Exempt;
      for (Role R : {Role::Immediate, Role::Immune, Role::Shield, Role::Sleep,
                     Role::TimerWait, Role::Spawn, Role::Gather, Role::Race,
                     Role::ToValue, Role::CancellationCheck, Role::Commit})
        Exempt |= Roles.find(E, R) != nullptr;
      Exempt |= Context.get<Limits>().shieldAt(Body, E).has_value();
      return !Exempt;
    });
    if (Exempt)
      return false;
    bool Explicit =
        Certain ||
        (L.Test && CancellationEvaluator(Roles, {}).namesCancellation(L.Test));
    if (Lib.Sticky)
      return L.Tested || OnFailureOnly ||
             Roles.find(Operand, Role::BestEffort) ||
             Roles.find(Operand, Role::Release);
    if (!Explicit)
      return false;
    if (!Lib.ImplicitPropagation) {
      const auto *Try = dyn_cast<CXXTryStmt>(&Cancelled);
      auto Fired = tokensIn(Try ? Try->getTryBlock() : &Cancelled, Roles);
      return llvm::any_of(tokensIn(Operand, Roles), [&](const ValueDecl *D) {
        return llvm::is_contained(Fired, D);
      });
    }
    // A coroutine of this file without a place where it can be cancelled.
    const FunctionBody *Inside =
        Context.get<Coroutines>().body(Call->getDirectCallee());
    return !Inside || llvm::any_of(Inside->suspensions(), [&](const Expr *A) {
      return Arrivals.cancellable(*A);
    });
  };
  for (const LateAwait &L : Flow.Late)
    if (Fails(L) && !hasOptedOut(Body, Roles) &&
        !(Lib.Sticky && endedByItself(Body, Cancelled)) &&
        Context.get<OutsideCancellation>().reaches(Body.function()))
      return L.Await;
  return nullptr;
}

} // namespace clang::tidy::async
