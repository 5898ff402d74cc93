//===--- LockCalls.cpp - What calls do to locks ---------------------------===//

#include "LockFlow.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxHelperDepth = 3;

void HeldLocks::Flow::applyEffect(LockEffect Effect, const Expr &E,
                                  States &In) {
  for (const std::string &Path : lockPaths(E)) {
    switch (Effect) {
    case LockEffect::None:
      return;
    case LockEffect::Take:
    case LockEffect::Try: {
      const VarDecl *Var = variableOf(objectOf(E));
      bool Guard = Var && Types.isGuard(Var->getType());
      take(In, Path,
           Effect == LockEffect::Take ? Ownership::Yes : Ownership::Maybe,
           Guard ? LockSite::Guarded : LockSite::Manual, E,
           Guard ? Var : nullptr, &E);
      break;
    }
    case LockEffect::Release:
      drop(In, Path);
      break;
    case LockEffect::Disown:
      // Locked still, and whoever has the result must unlock it, or who knows
      // the mutex.
      if (std::string Result = isa_and_nonnull<Expr, DeclStmt>(Body.parent(&E))
                                   ? Paths.of(&E)
                                   : Locks[Path];
          !Result.empty())
        change(In, [&](State &At) {
          auto Held = At.Held.find(Path);
          if (Held == At.Held.end())
            return;
          LockSite Again = *Held->second;
          Again.How = LockSite::Manual;
          Again.Guard = nullptr;
          Again.Scope = nullptr;
          const LockSite *Now = site(&E, Result, std::move(Again));
          At.Held.erase(Held);
          At.Held[Result] = Now;
        });
      break;
    }
  }
}

static bool namedLikeGivingBack(const FunctionDecl &F) {
  llvm::StringRef Name = F.getIdentifier() ? F.getName() : "";
  for (llvm::StringRef Word : {"unlock", "release", "leave"})
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

/// What a function of this file does to locks of its caller, in source order.
void HeldLocks::Flow::applyHelper(const Expr &E, const FunctionDecl &Callee,
                                  States &In, unsigned Depth) {
  const FunctionBody *Helper = Context.get<Coroutines>().body(&Callee);
  if (!Helper || Depth > MaxHelperDepth || Helper == &Body)
    return;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  auto Reaches = [&](const std::string &Path) -> std::string {
    if (Path.empty())
      return "";
    return Paths.outside(Path, E, Callee);
  };
  for (const Stmt *S : Helper->statements()) {
    const auto *Inner = dyn_cast<CallExpr>(S);
    if (!Inner)
      continue;
    LockEffect Effect = Types.effect(*Inner);
    for (const std::string &Path : lockPaths(*Inner)) {
      std::string Outer = Reaches(Path);
      if (Outer.empty())
        continue;
      bool Local = llvm::any_of(Helper->statements(), [&](const Stmt *D) {
        const auto *Declared = dyn_cast<DeclStmt>(D);
        return Declared && llvm::any_of(Declared->decls(), [&](const Decl *V) {
                 const auto *Var = dyn_cast<VarDecl>(V);
                 return Var &&
                        ObjectPaths::isPart(Outer, ObjectPaths::of(*Var));
               });
      });
      if (Local)
        continue;
      if (Effect == LockEffect::Release) {
        drop(In, Outer);
      } else if (Effect == LockEffect::Take &&
                 !Callee.getReturnType()->isBooleanType()) {
        bool Guard = Types.carriesGuard(
            pointee(Types.lockedBy(*Inner).front()->getType()));
        LockNames.try_emplace(Outer, lockText(*Inner));
        take(In, Outer, Ownership::Yes,
             Guard ? LockSite::Guarded : LockSite::Manual, E, nullptr);
      }
    }
    if (Effect == LockEffect::None && Method && Inner->getDirectCallee() &&
        Inner->getDirectCallee() != &Callee && objectOf(*Inner) &&
        isa<CXXThisExpr>(stripped(objectOf(*Inner))))
      applyHelper(*Inner, *Inner->getDirectCallee(), In, Depth + 1);
  }
}

/// `l.reset()`, `l.emplace(m)`, `l = nullptr` of an optional, pointer or
/// container of guards.
bool HeldLocks::Flow::applyHolder(const CallExpr &E, States &In) {
  const Expr *Object = objectOf(E);
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  if (!Object || !Callee || !Callee->getIdentifier() ||
      !Types.isHolder(pointee(Object->getType())))
    return false;
  std::string Path = Paths.of(Object);
  if (Path.empty())
    return false;
  llvm::StringRef Name = Callee->getName();
  auto Arguments = argumentsOf(E);
  bool Gives = !Arguments.empty() &&
               !isa<CXXDefaultArgExpr>(Arguments.front()) &&
               !isa<CXXNullPtrLiteralExpr>(stripped(Arguments.front()));
  if (Gives && (Name.starts_with("emplace") || Name.starts_with("push") ||
                Name == "insert" || Name == "reset" || Name == "assign")) {
    const VarDecl *Var = variableOf(Object);
    const Expr *Given = stripped(Arguments.front());
    std::string Moved = Paths.of(Given);
    if (Types.isGuard(Given->getType()) && !Moved.empty())
      move(In, Moved, Path);
    else
      take(In, Path, ownershipOf(Types.isGuard(Given->getType()) ? *Given : E),
           LockSite::Guarded, E, Var);
    return true;
  }
  if (Name == "reset" || Name == "clear" || Name == "release" ||
      Name.starts_with("pop") || Name == "erase") {
    drop(In, Path);
    return true;
  }
  return false;
}

void HeldLocks::Flow::call(const Expr &E, States &In) {
  LockEffect Effect = Types.effect(E);
  if (Effect != LockEffect::None) {
    applyEffect(Effect, E, In);
    return;
  }
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (Call && applyHolder(*Call, In))
    return;
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&E);
      Operator && Operator->isAssignmentOp() && Operator->getNumArgs() == 2) {
    assigned(Operator->getArg(0), Operator->getArg(1), In);
    return;
  }
  auto Arguments = argumentsOf(E);
  if (Callee && Callee->getIdentifier() && Callee->getName() == "swap") {
    const Expr *Object = objectOf(E);
    std::string A = Paths.of(Object              ? Object
                             : Arguments.empty() ? nullptr
                                                 : Arguments.front());
    std::string B = Paths.of(Arguments.empty() ? nullptr : Arguments.back());
    // Swapped with a temporary, which takes it along.
    if (A.empty() || B.empty()) {
      drop(In, A.empty() ? B : A);
    } else {
      move(In, A, "swapped");
      move(In, B, A);
      rehouse(In, A, variableOf(Object ? Object : Arguments.front()));
      move(In, "swapped", B);
      rehouse(In, B, variableOf(Arguments.back()));
    }
    return;
  }
  // What is moved into the callee is its.
  bool Makes =
      (isa<CXXConstructExpr>(E) && Types.carriesGuard(E.getType())) ||
      (Callee && Callee->isInStdNamespace() && Types.isHolder(E.getType()));
  bool Identity = stripped(&E) != &E;
  for (const Expr *Arg : Arguments) {
    std::string Path = Makes || Identity ? "" : Paths.of(Arg);
    if (Path.empty() || !Types.carriesGuard(Arg->getType()))
      continue;
    if (!Arg->isLValue() ||
        (Callee && Callee->getIdentifier() && Callee->getName() == "exchange"))
      drop(In, Path);
    else if (Callee && namedLikeGivingBack(*Callee) &&
             !Context.get<Coroutines>().body(Callee))
      drop(In, Path);
  }
  if (!Callee || !Call)
    return;
  if (Context.get<Coroutines>().body(Callee)) {
    applyHelper(E, *Callee, In, 0);
    return;
  }
  // A function nobody sees, which may well give back what has no guard.
  if (!namedLikeGivingBack(*Callee))
    return;
  change(In, [&](State &At) {
    std::erase_if(At.Held, [&](const auto &Pair) {
      if (Pair.second->How != LockSite::Manual)
        return false;
      const Expr *Object = objectOf(E);
      std::string Whole = Object ? Paths.of(Object) : "this";
      return (!Whole.empty() && ObjectPaths::isPart(Pair.first, Whole)) ||
             llvm::any_of(Arguments, [&](const Expr *Arg) {
               std::string Path = Paths.of(Arg);
               return !Path.empty() && ObjectPaths::isPart(Pair.first, Path);
             });
    });
  });
}

/// \p Target gets a new value (null: none does, but facts change).
void HeldLocks::Flow::assigned(const Expr *Target, const Expr *Value,
                               States &In) {
  std::string Path = Target ? Paths.of(Target) : "";
  if (Path.empty())
    return;
  if (Types.carriesGuard(Target->getType())) {
    initialise(In, Path, Target->getType(), Value, variableOf(Target));
    return;
  }
  change(In, [&](State &At) {
    std::erase_if(At.Facts, [&](const auto &Fact) {
      return llvm::StringRef(Fact.first).contains(Path);
    });
    if (Value)
      if (std::optional<bool> Known = answer(Value, At))
        At.Facts[Path] = *Known;
  });
}

/// A guard that no variable keeps, and no callee gets.
void HeldLocks::Flow::temporary(const Expr &E, States &In) {
  const Stmt *Child = &E;
  for (const Stmt *P = Body.parent(Child); P; Child = P, P = Body.parent(P)) {
    if (const auto *Made = dyn_cast<MaterializeTemporaryExpr>(P)) {
      if (Made->getExtendingDecl())
        return;
      continue;
    }
    if (isa<ImplicitCastExpr, FullExpr, CXXBindTemporaryExpr, ParenExpr,
            CXXFunctionalCastExpr>(P))
      continue;
    // The object of a call, such as `->`.
    if (const auto *Call = dyn_cast<CallExpr>(P)) {
      const Expr *Object = objectOf(*Call);
      const auto *Operator = dyn_cast<CXXOperatorCallExpr>(P);
      if (Object && stripped(Object) == &E &&
          !(Operator && Operator->isAssignmentOp()))
        break;
      // An argument: the callee's, unless it only looks at it.
      const auto *Passed = cast<Expr>(Child);
      if (Passed->isLValue() || Passed->getType().isConstQualified())
        break;
      return;
    }
    if (isa<MemberExpr, CompoundStmt, LabelStmt, IfStmt, SwitchCase>(P))
      break;
    if (const auto *Binary = dyn_cast<BinaryOperator>(P);
        Binary && Binary->isCommaOp() && Binary->getLHS() == Child)
      break;
    if (const auto *Cast = dyn_cast<CStyleCastExpr>(P);
        Cast && Cast->getType()->isVoidType())
      break;
    return;
  }
  take(In, "temporary" + std::to_string(reinterpret_cast<uintptr_t>(&E)),
       ownershipOf(E), LockSite::Temporary, E, nullptr);
}

} // namespace async_tidy
