//===--- Callables.cpp ----------------------------------------------------===//

#include "Callables.h"
#include "SymbolRoles.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

/// The body that a call of \p F runs: of a generic lambda or template, any
/// instance, as they differ in types only.
static const FunctionDecl *anyInstance(const NamedDecl *D) {
  const auto *Template = dyn_cast_or_null<FunctionTemplateDecl>(D);
  if (!Template)
    return dyn_cast_or_null<FunctionDecl>(D);
  for (const FunctionDecl *Instance : Template->specializations())
    if (Instance->hasBody())
      return Instance;
  return nullptr;
}

static const FunctionDecl *callOperator(const CXXRecordDecl *RD) {
  if (!RD || !RD->hasDefinition())
    return nullptr;
  DeclarationName Call =
      RD->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
  auto Found = RD->lookup(Call);
  return Found.isSingleResult() ? anyInstance(Found.front()) : nullptr;
}

/// \p E without what makes a function pointer of it: `&f`, `+[] {}` and the
/// conversion of a lambda.
static const Expr *withoutConversion(const Expr *E) {
  E = stripped(E);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary &&
      (Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Plus))
    E = stripped(Unary->getSubExpr());
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
      Call && isa_and_nonnull<CXXConversionDecl>(Call->getMethodDecl()))
    E = stripped(Call->getImplicitObjectArgument());
  return E;
}

const FunctionDecl *directCallee(const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  return Call ? Call->getDirectCallee() : nullptr;
}

const FunctionDecl *calledBy(const Expr &Callable) {
  const Expr *E = withoutConversion(&Callable);
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return callOperator(L->getLambdaClass());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()))
      return F;
  // std::function and the like, made from what they call.
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() >= 1 &&
      !isa<CXXDefaultArgExpr>(Construct->getArg(0)) &&
      !Construct->getConstructor()->isCopyOrMoveConstructor())
    if (const FunctionDecl *F = calledBy(*Construct->getArg(0)))
      return F;
  const CXXRecordDecl *RD = E->getType()->getAsCXXRecordDecl();
  // What a type-erasing wrapper of a library calls is not its own operator().
  if (RD && !RD->isLambda() &&
      RD->getASTContext().getSourceManager().isInSystemHeader(
          RD->getLocation()))
    return nullptr;
  return callOperator(RD);
}

const LambdaExpr *writtenLambda(const Expr &Callable) {
  const Expr *E = withoutConversion(&Callable);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() >= 1 &&
      !isa<CXXDefaultArgExpr>(Construct->getArg(0)))
    E = withoutConversion(Construct->getArg(0));
  return dyn_cast<LambdaExpr>(E);
}

} // namespace async_tidy
