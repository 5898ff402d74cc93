//===--- OutsideCancellation.cpp ------------------------------------------===//

#include "OutsideCancellation.h"

using namespace clang;

namespace async_tidy {

/// Around \p Use.Where stands something that can cancel it: a token or a slot,
/// a limit, a race, a group that stops when one of it fails.
bool OutsideCancellation::keepsControl(const FunctionUse &Use) {
  const SymbolRoles &Roles = Context.roles();
  const FunctionBody *In =
      Use.In ? Context.get<Coroutines>().body(Use.In) : nullptr;
  if (!In)
    return true;
  bool Found = false;
  walkWritten(In->fullExpression(Use.Where), [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    // What it does inside itself is no control from outside.
    if (!E || &S == Use.Where)
      return &S != Use.Where && !Found;
    for (Role R : {Role::Timeout, Role::TimeoutToken, Role::Race, Role::Gather})
      Found |= Roles.find(E, R) != nullptr;
    Found |= Roles.findType(E->getType(), Role::Token) ||
             Roles.findType(E->getType(), Role::Source);
    return !Found;
  });
  return Found;
}

bool OutsideCancellation::reaches(const FunctionDecl &F, Path &Asked) {
  if (!Asked.insert(&F).second)
    return false;
  if (const Entry *Task =
          Context.roles().findType(F.getReturnType(), Role::Task))
    if (Task->Detached)
      return false;
  llvm::ArrayRef<FunctionUse> Uses = Context.get<Coroutines>().uses(F);
  if (Uses.empty())
    return true;
  for (const FunctionUse &Use : Uses) {
    if (keepsControl(Use))
      return true;
    switch (Use.How) {
    case FunctionUse::Spawned:
      break;
    case FunctionUse::Awaited:
    case FunctionUse::Returned:
      if (reaches(*Use.In, Asked))
        return true;
      break;
    case FunctionUse::Called:
    case FunctionUse::Named:
      return true;
    }
  }
  return false;
}

bool OutsideCancellation::reaches(const FunctionDecl &F) {
  auto [It, New] = Known.try_emplace(&F, true);
  if (!New)
    return It->second;
  Path Asked;
  bool Reached = reaches(F, Asked);
  return Known[&F] = Reached;
}

bool OutsideCancellation::onlyLosesRaces(const FunctionDecl &F) {
  auto &Functions = Context.get<Coroutines>();
  llvm::ArrayRef<FunctionUse> Uses = Functions.uses(F);
  if (Uses.empty() || !Functions.yieldsNothing(F))
    return false;
  return llvm::all_of(Uses, [&](const FunctionUse &Use) {
    const FunctionBody *In = Use.In ? Functions.body(Use.In) : nullptr;
    if (!In || Use.How != FunctionUse::Awaited || reaches(*Use.In))
      return false;
    for (const Stmt *S = In->parent(Use.Where); isa_and_nonnull<Expr>(S);
         S = In->parent(S))
      if (Context.roles().find(cast<Expr>(S), Role::Race))
        return true;
    return false;
  });
}

bool OutsideCancellation::isFollowedByAwaits(const FunctionDecl &F,
                                             Path &Asked) {
  auto &Functions = Context.get<Coroutines>();
  llvm::ArrayRef<FunctionUse> Uses = Functions.uses(F);
  if (Uses.empty() || !Asked.insert(&F).second)
    return false;
  return llvm::all_of(Uses, [&](const FunctionUse &Use) {
    const FunctionBody *In = Use.In ? Functions.body(Use.In) : nullptr;
    if (!In ||
        (Use.How != FunctionUse::Awaited && Use.How != FunctionUse::Returned))
      return false;
    const Stmt *Own = In->fullExpression(Use.Where);
    return llvm::any_of(In->suspensions(),
                        [&](const Expr *Await) {
                          return !In->contains(Own, Await) &&
                                 Await->getBeginLoc() > Own->getBeginLoc();
                        }) ||
           isFollowedByAwaits(*Use.In, Asked);
  });
}

bool OutsideCancellation::isFollowedByAwaits(const FunctionDecl &F) {
  Path Asked;
  return isFollowedByAwaits(F, Asked);
}

} // namespace async_tidy
