//===--- Shields.cpp ------------------------------------------------------===//

#include "Shields.h"
#include "Callables.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxDepth = 5;

/// What is protected ends soon by itself, or must not be cancelled.
bool Shields::isHarmless(const FunctionBody &Body, const Expr *Work,
                         const Policy &P, unsigned Depth) {
  const SymbolRoles &Roles = Context.roles();
  Limits &L = Context.get<Limits>();
  const Expr *E = L.resolve(Body, Work);
  if (!E || isSuspension(*E))
    return true;
  if (L.sleepIn(Body, E))
    return true;
  if (P.AllowWithInnerTimeout && !L.limitsIn(Body, E).empty())
    return true;
  for (Role Kind : {Role::BestEffort, Role::Commit, Role::Immediate})
    if (Roles.find(E, Kind))
      return true;
  const FunctionDecl *F = directCallee(E);
  if (!F)
    return !isa<DeclRefExpr, MemberExpr, CXXConstructExpr>(E);
  if (P.MayBeShielded(*F))
    return true;
  // Starting it elsewhere does not make it longer.
  if (const Entry *Spawn = Roles.find(E, Role::Spawn))
    if (const Expr *Inner = Roles.argument(*E, Spawn->Awaitable);
        Inner && Depth < MaxDepth && !isa<LambdaExpr>(stripped(Inner)))
      return isHarmless(Body, Inner, P, Depth + 1);
  // A coroutine of this file that limits each of its own waits.
  const FunctionBody *Callee = Context.get<Coroutines>().body(F);
  if (!Callee || !Callee->isCoroutine() || !P.AllowWithInnerTimeout ||
      Depth >= MaxDepth)
    return false;
  bool Limited = false;
  for (const Expr *Await : Callee->suspensions()) {
    const Expr *Operand = L.resolve(*Callee, suspensionOperand(*Await));
    if (!isa<CallExpr>(Operand))
      continue;
    if (L.shieldAt(*Callee, Operand) && !L.shieldAt(*Callee, Operand)->Work)
      continue;
    if (!isHarmless(*Callee, Operand, P, Depth + 1))
      return false;
    Limited = true;
  }
  return Limited;
}

Shields::Result Shields::searchToken(const FunctionBody &Body,
                                     const Expr *Token, const Expr *Call,
                                     const Policy &P, unsigned Depth) {
  Limits &L = Context.get<Limits>();
  const Expr *E = L.resolve(Body, Token);
  if (!E || Depth > MaxDepth || !isa<CallExpr, CXXConstructExpr>(E) ||
      isAwaitableType(E->getType(), Context.ast()))
    return std::nullopt;
  if (std::optional<Shield> Found = L.shieldAt(Body, E))
    if (Found->Model && Found->Model->Kind == Role::Shield) {
      if (isHarmless(Body, Call, P, Depth))
        return std::nullopt;
      return ShieldedWork{E, Call, Found->Model, nullptr, &Body, {}};
    }
  for (const Expr *Arg : argumentsOf(*E))
    if (Result Found = searchToken(Body, Arg, Call, P, Depth + 1))
      return Found;
  return std::nullopt;
}

Shields::Result Shields::search(const FunctionBody &Body, const Expr *E,
                                const Policy &P, unsigned Depth,
                                bool SkipTokens) {
  Limits &L = Context.get<Limits>();
  const SymbolRoles &Roles = Context.roles();
  E = L.resolve(Body, E);
  if (!E || Depth > MaxDepth || isSuspension(*E))
    return std::nullopt;
  if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    for (const Expr *Side : {Either->getTrueExpr(), Either->getFalseExpr()})
      if (Result Found = search(Body, Side, P, Depth + 1, SkipTokens))
        return Found;
    return std::nullopt;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return searchBody(*Lambda->getCallOperator(), P, Depth + 1);
  if (!isa<CallExpr, CXXConstructExpr>(E))
    return std::nullopt;
  if (std::optional<Shield> Found = L.shieldAt(Body, E); Found && Found->Work) {
    if (!isHarmless(Body, Found->Work, P, Depth))
      return ShieldedWork{E,     Found->Work, Found->Model, Found->Inside,
                          &Body, {}};
    return std::nullopt;
  }
  const FunctionDecl *F = directCallee(E);
  auto Args = argumentsOf(*E);
  if (F && P.IsShield(*F)) {
    for (const Expr *Arg : Args)
      if (isAwaitableType(Arg->getType(), Context.ast()) &&
          !isHarmless(Body, Arg, P, Depth))
        return ShieldedWork{E, Arg, nullptr, nullptr, &Body, {}};
    return std::nullopt;
  }
  if (F && (P.MayBeShielded(*F) || Roles.find(E, Role::Commit)))
    return std::nullopt;
  // A parameter whose type marks the whole coroutine.
  if (F)
    for (const ParmVarDecl *Parm : F->parameters()) {
      const auto *Class = Parm->getType()->getAsCXXRecordDecl();
      if (!Class || !Class->hasDefinition() || !Class->isEmpty())
        continue;
      if (const Entry *Marker = Roles.findType(Parm->getType(), Role::Shield)) {
        if (isHarmless(Body, E, P, Depth))
          return std::nullopt;
        return ShieldedWork{E, E, Marker, nullptr, &Body, {}};
      }
    }
  // What has a limit of its own is looked at there.
  if (!SkipTokens)
    for (const Limit &Inner : L.limitsIn(Body, E))
      if (Inner.At == E || llvm::is_contained(Inner.Work, E))
        return std::nullopt;
  if (!SkipTokens)
    for (const Expr *Arg : Args)
      if (Result Found = searchToken(Body, Arg, E, P, Depth))
        return Found;
  for (const Expr *Arg : Args)
    if (isAwaitableType(stripped(Arg)->getType(), Context.ast()) ||
        isa<LambdaExpr>(L.resolve(Body, Arg)))
      if (Result Found = search(Body, Arg, P, Depth + 1, false))
        return Found;
  if (const Expr *Object = objectOf(*E);
      Object && isa<CallExpr>(stripped(Object)))
    if (Result Found = search(Body, Object, P, Depth + 1, false))
      return Found;
  if (F)
    return searchBody(*F, P, Depth + 1);
  return std::nullopt;
}

/// \p At stands behind a handler that kept a failure: it is cleanup.
static bool followsHandler(const FunctionBody &Body, const SourceManager &SM,
                           const Expr *At) {
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *Try = dyn_cast<CXXTryStmt>(S);
    if (!Try || Body.contains(Try, At) ||
        !SM.isBeforeInTranslationUnit(Try->getEndLoc(), At->getBeginLoc()))
      return false;
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I) {
      const auto *Block =
          dyn_cast<CompoundStmt>(Try->getHandler(I)->getHandlerBlock());
      const Stmt *Last =
          Block && !Block->body_empty() ? Block->body_back() : nullptr;
      if (const auto *E = dyn_cast_or_null<Expr>(Last))
        Last = stripped(E);
      if (!isa_and_nonnull<ReturnStmt, CoreturnStmt, CXXThrowExpr, BreakStmt>(
              Last))
        return true;
    }
    return false;
  });
}

Shields::Result Shields::searchBody(const FunctionDecl &F, const Policy &P,
                                    unsigned Depth) {
  const FunctionBody *Body = Context.get<Coroutines>().body(&F);
  const SourceManager &SM = Context.ast().getSourceManager();
  const SymbolRoles &Roles = Context.roles();
  Limits &L = Context.get<Limits>();
  if (!Body || Depth > MaxDepth || Body->statements().size() > 2000 ||
      SM.isInSystemHeader(Body->function().getLocation()) ||
      Roles.find(&F, Role::Commit) || P.MayBeShielded(F))
    return std::nullopt;
  auto Through = [&](Result Found) {
    if (Found)
      Found->Chain.insert(Found->Chain.begin(), &Body->function());
    return Found;
  };
  if (!Body->isCoroutine()) {
    // A function that hands on what another one will do.
    if (Body->statements().size() < 60)
      for (const Stmt *S : Body->statements())
        if (const auto *Return = dyn_cast<ReturnStmt>(S);
            Return && Return->getRetValue() &&
            isAwaitableType(Return->getRetValue()->getType(), Context.ast()))
          if (Result Found =
                  search(*Body, Return->getRetValue(), P, Depth + 1, false))
            return Through(Found);
    return std::nullopt;
  }
  // Shields that last for a scope.
  struct Scoped {
    const Stmt *Scope;
    Shield What;
  };
  llvm::SmallVector<Scoped, 2> Scopes;
  for (const Stmt *S : Body->statements())
    if (const auto *Declares = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declares->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasInit())
          if (auto Found = L.shieldAt(*Body, stripped(Var->getInit()));
              Found && !Found->Work)
            Scopes.push_back({Body->parent(Declares), *Found});

  std::optional<Shield> Rest;
  for (const Expr *Await : Body->suspensions()) {
    const Expr *Operand = suspensionOperand(*Await);
    const Expr *E = L.resolve(*Body, Operand);
    if (!E)
      continue;
    if (Roles.find(E, Role::Shield)) {
      // A statement-level shield, or the one that ends it.
      std::optional<Shield> Found = L.shieldAt(*Body, E);
      if (!Found || !Found->Work) {
        Rest = Found;
        continue;
      }
    }
    std::optional<Shield> Active = Rest;
    for (const Scoped &S : Scopes)
      if (Body->contains(S.Scope, Await) &&
          SM.isBeforeInTranslationUnit(S.What.At->getBeginLoc(),
                                       Await->getBeginLoc()))
        Active = S.What;
    if (Active) {
      if (followsHandler(*Body, SM, Active->At) ||
          isHarmless(*Body, E, P, Depth))
        continue;
      ShieldedWork Found{Active->At, E, Active->Model, nullptr, Body, {}};
      return Through(Found);
    }
    if (Result Found = search(*Body, Operand, P, Depth + 1, false)) {
      if (Found->In == Body && followsHandler(*Body, SM, Found->Shield))
        continue;
      return Through(Found);
    }
  }
  return std::nullopt;
}

std::optional<ShieldedWork> Shields::under(const FunctionBody &Body,
                                           const Limit &L, const Policy &P) {
  if (L.Model && L.Model->Severs) {
    const Expr *Work = L.Work.empty() ? L.At : L.Work.front();
    if (isHarmless(Body, Work, P, 0))
      return std::nullopt;
    return ShieldedWork{L.At, Work, L.Model, nullptr, &Body, {}};
  }
  for (const Expr *Work : L.Work)
    if (Result Found =
            search(Body, Work, P, 0, /*SkipTokens=*/L.How == Limit::Token))
      return Found;
  return std::nullopt;
}

} // namespace async_tidy
