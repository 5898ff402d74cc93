//===--- SingleUse.cpp ----------------------------------------------------===//

#include "SingleUse.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace async_tidy {

bool SingleUse::isUsedOnce(QualType T) const {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || T->isReferenceType() ||
      !isAwaitableType(T, Context.ast()) || !Class->hasMoveConstructor())
    return false;
  return llvm::none_of(Class->ctors(), [](const CXXConstructorDecl *C) {
    return C->isCopyConstructor() && !C->isDeleted();
  });
}

/// `std::move(x)` of a local variable or parameter: that variable.
static const VarDecl *movedBy(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call || !Call->isCallToStdMove())
    return nullptr;
  const auto *Ref =
      dyn_cast<DeclRefExpr>(Call->getArg(0)->IgnoreParenImpCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

static const VarDecl *awaitedBy(const Stmt &S) {
  const Expr *Operand = suspensionOperand(S);
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(
      Operand ? Operand->IgnoreParenImpCasts() : nullptr);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// After \p S, \p Task may hold something new: it is declared or assigned, or
/// somebody else gets the means to do so.
static bool renews(const FunctionBody &Body, const Stmt &S,
                   const VarDecl &Task) {
  auto IsTask = [&](const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref && Ref->getDecl() == &Task;
  };
  if (const auto *Decls = dyn_cast<DeclStmt>(&S))
    return llvm::is_contained(Decls->decls(), &Task);
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S))
    return Op->isAssignmentOp() && IsTask(Op->getArg(0));
  if (const auto *Op = dyn_cast<BinaryOperator>(&S))
    return Op->isAssignmentOp() && IsTask(Op->getLHS());
  if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
    return Unary->getOpcode() == UO_AddrOf && IsTask(Unary->getSubExpr());
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
    return llvm::any_of(Lambda->captures(), [&](const LambdaCapture &C) {
      return C.capturesVariable() && C.getCapturedVar() == &Task;
    });
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call || Call->isCallToStdMove())
    return false;
  // A member function other than asking may renew it, and so may a callee.
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    if (const CXXMethodDecl *Method = Member->getMethodDecl();
        Method && !Method->isConst() &&
        !isAwaitableType(Call->getType(), Body.function().getASTContext()) &&
        IsTask(Member->getImplicitObjectArgument()))
      return true;
  return llvm::any_of(Call->arguments(), IsTask);
}

/// Whether it is moved away in this turn is asked first.
static bool isGuarded(const FunctionBody &Body, const Expr &Use,
                      const VarDecl &Task) {
  const Stmt *Loop = Body.enclosingLoop(&Use);
  for (const Stmt *P = Body.parent(&Use); P && P != Loop; P = Body.parent(P)) {
    const auto *If = dyn_cast<IfStmt>(P);
    if (!If || Body.contains(If->getCond(), &Use))
      continue;
    bool Asks = false;
    walkWritten(If->getCond(), [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      Asks |= Ref && (Ref->getDecl() == &Task ||
                      Ref->getType().getNonReferenceType()->isBooleanType() ||
                      Ref->getType().getNonReferenceType()->isIntegerType());
      return !Asks;
    });
    if (Asks)
      return true;
  }
  return false;
}

llvm::SmallVector<SecondUse, 2>
SingleUse::secondUsesIn(const FunctionBody &Body) {
  llvm::MapVector<const VarDecl *, llvm::SmallVector<const Expr *, 2>> Moves;
  for (const Stmt *S : Body.statements())
    if (const VarDecl *Var = movedBy(*S);
        Var && Var->hasLocalStorage() && isUsedOnce(Var->getType()))
      Moves[Var].push_back(cast<Expr>(S));
  llvm::SmallVector<SecondUse, 2> Result;
  if (Moves.empty())
    return Result;
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  if (!Cfg.valid())
    return Result;

  auto SecondAfter = [&](const VarDecl *Task,
                         const Expr *First) -> const Expr * {
    using Step = CoroutineCfg::Step;
    const Expr *Second = nullptr;
    Cfg.walkFrom(*First, [&](const Stmt &S) {
      if (Second)
        return Step::End;
      if ((movedBy(S) == Task || awaitedBy(S) == Task) &&
          !isGuarded(Body, *cast<Expr>(&S), *Task)) {
        Second = cast<Expr>(&S);
        return Step::End;
      }
      if (renews(Body, S, *Task))
        return Step::End;
      return isSuspension(S) || isa<CXXThrowExpr>(S) ? Step::Raise : Step::On;
    });
    return Second;
  };
  for (const auto &[Task, Uses] : Moves)
    for (const Expr *First : Uses)
      if (const Expr *Second = SecondAfter(Task, First)) {
        Result.push_back({Task, First, Second});
        break;
      }
  return Result;
}

} // namespace async_tidy
