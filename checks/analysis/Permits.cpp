//===--- Permits.cpp ------------------------------------------------------===//

#include "Permits.h"

using namespace clang;

namespace async_tidy {

/// The variable or member that \p E names.
static const ValueDecl *named(const Expr *E) {
  E = E ? stripped(E) : nullptr;
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(E);
      Unary &&
      (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf))
    E = stripped(Unary->getSubExpr());
  if (const auto *Op = dyn_cast_or_null<CXXOperatorCallExpr>(E);
      Op && (Op->getOperator() == OO_Star || Op->getOperator() == OO_Arrow) &&
      Op->getNumArgs() == 1)
    E = stripped(Op->getArg(0));
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    return Member->getMemberDecl();
  return nullptr;
}

const ValueDecl *Permits::objectOfRole(const Expr &E, Role R) const {
  return Context.roles().find(&E, R) ? named(objectOf(E)) : nullptr;
}

llvm::SmallVector<Permit, 2> Permits::acquiredIn(const FunctionBody &Body) {
  llvm::SmallVector<Permit, 2> Result;
  for (const Expr *Await : Body.suspensions()) {
    QualType T = Await->getType();
    // A result tells whether there is a permit, or holds it.
    bool Discarded =
        isa_and_nonnull<CompoundStmt, ExprWithCleanups>(Body.parent(Await));
    if (!T->isVoidType() && !(T->isEnumeralType() && Discarded))
      continue;
    walkWritten(suspensionOperand(*Await), [&](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      if (const ValueDecl *Object =
              E ? objectOfRole(*E, Role::Acquire) : nullptr)
        Result.push_back({Await, E, Object});
      return !isa<LambdaExpr>(S);
    });
  }
  return Result;
}

bool Permits::releasesInLambda(const Stmt &S, const ValueDecl &Object) {
  bool Found = false;
  walkWritten(&S, [&](const Stmt &Part) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&Part))
      walkWritten(Lambda->getBody(), [&](const Stmt &Inner) {
        const auto *E = dyn_cast<Expr>(&Inner);
        Found |= E && objectOfRole(*E, Role::Release) == &Object;
        return !Found;
      });
    return !Found;
  });
  return Found;
}

bool Permits::settles(const Stmt &S, const Permit &P) {
  if (&S == P.Acquire || &S == P.Await)
    return false;
  const auto *E = dyn_cast<Expr>(&S);
  if (!E)
    return false;
  if (const ValueDecl *Object = objectOfRole(*E, Role::Release))
    return Object == P.Object;
  if (isa<LambdaExpr>(E))
    return releasesInLambda(*E, *P.Object);
  // Whoever is given the object (a guard that adopts it, a helper) may do it.
  for (const Expr *Arg : argumentsOf(*E))
    if (named(Arg) == P.Object)
      return true;
  return false;
}

std::optional<Permits::Loss> Permits::lossOf(const FunctionBody &Body,
                                             const Permit &P) {
  const Expr *Release = nullptr;
  bool Behind = false;
  for (const Stmt *S : Body.statements()) {
    Behind |= S == P.Await;
    const auto *E = dyn_cast<Expr>(S);
    if (Behind && E && !Release && objectOfRole(*E, Role::Release) == P.Object)
      Release = E;
  }
  if (!Release)
    return std::nullopt;
  // Something that lives longer than the wait gives it back.
  for (const Stmt *S : Body.statements())
    if (isa<LambdaExpr>(S) && releasesInLambda(*S, *P.Object))
      return std::nullopt;
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  if (!Cfg.valid())
    return std::nullopt;

  using Step = CoroutineCfg::Step;
  std::optional<Loss> Leaving, Failing;
  Cfg.walkFrom(*P.Await, [&](const Stmt &S) {
    if (Leaving || settles(S, P))
      return Step::End;
    if (isa<ReturnStmt, CoreturnStmt>(S)) {
      Leaving = Loss{&S, false, Release};
      return Step::End;
    }
    bool Fails =
        isSuspension(S) && &S != P.Await &&
        !Context.roles().find(stripped(suspensionOperand(S)), Role::Immediate);
    if (!Fails && !isa<CXXThrowExpr>(S))
      return Step::On;
    if (!Failing && !Cfg.isAllCaught(&S))
      Failing = Loss{&S, true, Release};
    return Step::Raise;
  });
  return Leaving ? Leaving : Failing;
}

const VarDecl *Permits::armedTooEarly(const FunctionBody &Body,
                                      const Permit &P) {
  const CompoundStmt *Around = Body.enclosing<CompoundStmt>(P.Await);
  const VarDecl *Armed = nullptr;
  for (const Stmt *S : Body.statements()) {
    if (S == P.Await)
      break;
    // It was had already, or what is armed can be disarmed.
    if (const auto *E = dyn_cast<Expr>(S);
        E && E != P.Acquire && objectOfRole(*E, Role::Acquire) == P.Object)
      return nullptr;
    const auto *Decls = dyn_cast<DeclStmt>(S);
    const auto *Var = Decls && Decls->isSingleDecl()
                          ? dyn_cast<VarDecl>(Decls->getSingleDecl())
                          : nullptr;
    if (!Var || !Var->hasInit() || !Around ||
        !Body.contains(Body.enclosing<CompoundStmt>(S), P.Await))
      continue;
    // Not the callable alone, but an object that calls it when it dies.
    const CXXRecordDecl *Class = Var->getType()->getAsCXXRecordDecl();
    if (!Class || Class->isLambda() || Class->hasTrivialDestructor())
      continue;
    const LambdaExpr *Callback = nullptr;
    walkWritten(Var->getInit(), [&](const Stmt &Part) {
      if (const auto *Lambda = dyn_cast<LambdaExpr>(&Part))
        Callback = Lambda;
      return !Callback;
    });
    if (!Callback || !releasesInLambda(*Callback, *P.Object))
      continue;
    bool Conditional = false;
    walkWritten(Callback->getBody(), [&](const Stmt &Part) {
      Conditional |= isa<IfStmt, ConditionalOperator>(Part);
      return !Conditional;
    });
    if (!Conditional)
      Armed = Var;
  }
  if (!Armed)
    return nullptr;
  // `guard.cancel()`, `guard.release()`.
  for (const Stmt *S : Body.statements())
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
        Call && named(objectOf(*Call)) == Armed)
      return nullptr;
  return Armed;
}

} // namespace async_tidy
