//===--- TokenUse.cpp -----------------------------------------------------===//

#include "TokenUse.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace async_tidy {

bool asksToken(const Stmt *S, const SymbolRoles &Roles) {
  return findWritten(S, Roles,
                     {Role::CancellationTest, Role::CancellationCheck});
}

bool isLimitedElsewhere(const FunctionBody &Body, const CallExpr &Call,
                        const SymbolRoles &Roles, const Tokens &All) {
  bool Found = false;
  walkWritten(Body.fullExpression(&Call), [&](const Stmt &S) {
    if (isa<CXXDefaultArgExpr>(S))
      return false;
    if (const auto *E = dyn_cast<Expr>(&S)) {
      Found |= All.carriedBy(E->getType()) != nullptr ||
               Roles.findType(E->getType(), Role::Deadline) != nullptr;
      for (Role R : {Role::Timeout, Role::TimeoutToken, Role::Race})
        Found |= Roles.find(E, R) != nullptr;
    }
    return !Found;
  });
  return Found;
}

bool isAfterCancellation(const FunctionBody &Body, const Stmt &At,
                         const SymbolRoles &Roles) {
  for (const auto *If = Body.enclosing<IfStmt>(&At); If;
       If = Body.enclosing<IfStmt>(If))
    if (!Body.contains(If->getCond(), &At) && asksToken(If->getCond(), Roles))
      return true;
  for (const Stmt *S : Body.statements()) {
    const auto *Try = dyn_cast<CXXTryStmt>(S);
    if (!Try || Try->getEndLoc() > At.getBeginLoc())
      continue;
    for (unsigned I = 0; I != Try->getNumHandlers(); ++I) {
      bool Keeps = false;
      walkWritten(Try->getHandler(I), [&](const Stmt &Part) {
        const auto *Taken = dyn_cast<CallExpr>(&Part);
        // To write it to a log is not to keep it.
        if (Taken && Roles.find(Taken, Role::Logging))
          return false;
        Keeps |= Taken && argumentsOf(*Taken).empty() && !objectOf(*Taken) &&
                 Roles.find(Taken, Role::ErrorAccess);
        return !Keeps;
      });
      if (Keeps)
        return true;
    }
  }
  return false;
}

bool isEndedElsewhere(const ValueDecl &Member, const FunctionBody &Body,
                      AnalysisContext &Context) {
  const SymbolRoles &Roles = Context.roles();
  const auto *Method = dyn_cast<CXXMethodDecl>(&Body.function());
  const CXXRecordDecl *Class = Method ? Method->getParent() : nullptr;
  if (!Class || !Class->hasDefinition())
    return false;
  auto Ends = [&](const Stmt *S) {
    const auto *Call = dyn_cast<CallExpr>(S);
    const Expr *Object = Call ? objectOf(*Call) : nullptr;
    const auto *Of = Object ? dyn_cast<MemberExpr>(stripped(Object)) : nullptr;
    return Of && Of->getMemberDecl() == &Member &&
           (Roles.find(Call, Role::CancellationRequest) ||
            Roles.find(Call, Role::BestEffort));
  };
  return llvm::any_of(
      Class->getDefinition()->methods(), [&](const CXXMethodDecl *Other) {
        const FunctionBody *Inside =
            Other == Method ? nullptr : Context.get<Coroutines>().body(Other);
        return Inside && llvm::any_of(Inside->statements(), Ends);
      });
}

const FunctionDecl *twinOf(const FunctionDecl &Callee, StringRef Name) {
  StringRef Plain = Name.substr(Name.rfind(':') + 1);
  const FunctionTemplateDecl *Primary = Callee.getPrimaryTemplate();
  const FunctionDecl &Pattern = Primary ? *Primary->getTemplatedDecl() : Callee;
  ASTContext &Ctx = Callee.getASTContext();
  for (const NamedDecl *D : Pattern.getDeclContext()->lookup(
           DeclarationName(&Ctx.Idents.get(Plain)))) {
    D = D->getUnderlyingDecl();
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    const auto *Other = dyn_cast<FunctionDecl>(D);
    if (Other && !Other->isDeleted() &&
        Other->getNumParams() == Pattern.getNumParams() + 1)
      return Other;
  }
  return nullptr;
}

} // namespace async_tidy
