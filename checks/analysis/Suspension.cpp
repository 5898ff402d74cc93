//===--- Suspension.cpp ---------------------------------------------------===//

#include "Suspension.h"
#include "Readiness.h"

using namespace clang;

namespace async_tidy {

std::optional<bool> constantResult(const FunctionDecl *F,
                                   const ASTContext &Ctx) {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition))
    return std::nullopt;
  const auto *Block = dyn_cast<CompoundStmt>(Definition->getBody());
  const auto *Return = Block && !Block->body_empty()
                           ? dyn_cast<ReturnStmt>(Block->body_back())
                           : nullptr;
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  // Statements before the last may return something else.
  if (!Value || Value->isValueDependent() ||
      !Value->getType()->isBooleanType() ||
      llvm::any_of(Block->body(), [&](const Stmt *S) {
        return S != Return && !isa<Expr, NullStmt>(S);
      }))
    return std::nullopt;
  bool Result = false;
  if (!Value->EvaluateAsBooleanCondition(Result, Ctx))
    return std::nullopt;
  return Result;
}

bool isAlwaysReady(const CXXRecordDecl *Class, const ASTContext &Ctx) {
  if (!Class || !Class->hasDefinition())
    return false;
  for (const CXXMethodDecl *M : Class->getDefinition()->methods())
    if (M->getIdentifier() && M->getName() == "await_ready" && M->hasBody())
      return constantResult(M, Ctx).value_or(false);
  return false;
}

/// The awaiter's function that \p Call, one of the compiler's calls around an
/// await, goes to.
static const FunctionDecl *awaiterFunction(const Expr *Call) {
  const FunctionDecl *Found = nullptr;
  llvm::SmallVector<const Stmt *, 8> Pending = {Call};
  while (!Pending.empty() && !Found) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(S))
      Found = Member->getDirectCallee();
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return Found;
}

/// A coroutine's start that runs none of its code, or goes on at once.
static bool startsPlainly(const CoroutineBodyStmt &Body,
                          const ASTContext &Ctx) {
  const Stmt *Init = Body.getInitSuspendStmt();
  const Expr *Start = dyn_cast_or_null<Expr>(Init);
  Start = Start ? Start->IgnoreImplicit() : nullptr;
  const auto *Suspend = dyn_cast_or_null<CoroutineSuspendExpr>(Start);
  if (!Suspend)
    return false;
  if (constantResult(awaiterFunction(Suspend->getReadyExpr()), Ctx)
          .value_or(false))
    return true;
  const FunctionDecl *Step = awaiterFunction(Suspend->getSuspendExpr());
  const FunctionDecl *Definition = nullptr;
  if (!Step || !Step->hasBody(Definition))
    return false;
  const auto *Block = dyn_cast<CompoundStmt>(Definition->getBody());
  return Block && Block->body_empty();
}

static bool neverSuspends(AnalysisContext &Context, const FunctionBody &Body,
                          const Expr &Await, unsigned Depth) {
  const auto *Suspend = dyn_cast<CoawaitExpr>(&Await);
  const Expr *Operand = Suspend ? stripped(suspensionOperand(Await)) : nullptr;
  if (!Operand)
    return false;
  const SymbolRoles &Roles = Context.roles();
  const ASTContext &Ctx = Context.ast();
  if (Roles.find(Operand, Role::Immediate) ||
      Roles.findType(Operand->getType(), Role::Immediate) ||
      isAlwaysReady(
          Operand->getType().getNonReferenceType()->getAsCXXRecordDecl(), Ctx))
    return true;
  if (constantResult(awaiterFunction(Suspend->getReadyExpr()), Ctx)
          .value_or(false) ||
      !constantResult(awaiterFunction(Suspend->getSuspendExpr()), Ctx)
           .value_or(true) ||
      isProvenReady(Context, Body, Operand, &Await))
    return true;
  const auto *Call = dyn_cast<CallExpr>(Operand);
  const FunctionBody *Callee =
      Call && Depth < 4
          ? Context.get<Coroutines>().body(Call->getDirectCallee())
          : nullptr;
  // What is virtual may run elsewhere.
  const auto *Method =
      Callee ? dyn_cast<CXXMethodDecl>(&Callee->function()) : nullptr;
  return Callee && Callee->isCoroutine() && !(Method && Method->isVirtual()) &&
         startsPlainly(*Callee->coroutineBody(), Ctx) &&
         llvm::all_of(Callee->suspensions(), [&](const Expr *Inner) {
           return neverSuspends(Context, *Callee, *Inner, Depth + 1);
         });
}

bool neverSuspends(AnalysisContext &Context, const FunctionBody &Body,
                   const Expr &Await) {
  return neverSuspends(Context, Body, Await, 0);
}

} // namespace async_tidy
