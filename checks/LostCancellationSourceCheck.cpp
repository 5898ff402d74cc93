//===--- LostCancellationSourceCheck.cpp ----------------------------------===//

#include "LostCancellationSourceCheck.h"
#include "clang-tidy/utils/OptionsUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace async_tidy;

namespace clang::tidy::async {

LostCancellationSourceCheck::LostCancellationSourceCheck(
    StringRef Name, ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      AllowedNames(utils::options::parseStringList(
          Options.get("AllowedNames", "dummy;never;no_;none;unused;ignore"))) {}

void LostCancellationSourceCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "AllowedNames",
                utils::options::serializeStringList(AllowedNames));
}

void LostCancellationSourceCheck::checkFunction(const FunctionBody &Body) {
  if (isTidyingUp(Body.function(), roles()) ||
      isInTestMacro(Body.function().getLocation(), roles()))
    return;
  for (const Stmt *S : Body.statements()) {
    const auto *Decls = dyn_cast<DeclStmt>(S);
    if (!Decls)
      continue;
    for (const Decl *D : Decls->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      // One that is taken from elsewhere has an owner there.
      if (!Var || !Var->getIdentifier() || !isMadeEmpty(*Var) ||
          !roles().findType(Var->getType(), Role::Source))
        continue;
      bool OnPurpose = llvm::any_of(AllowedNames, [&](StringRef Name) {
        return Var->getName().contains_insensitive(Name);
      });
      if (OnPurpose)
        continue;
      const Expr *Where = handedOut(Body, *Var);
      if (!Where || !firstReportAt(Where->getBeginLoc()))
        continue;
      diag(Where->getBeginLoc(),
           "nobody can cancel this: %0 is never asked to stop, and nobody else "
           "has it")
          << Var;
      diag(Var->getLocation(), "%0 is made here", DiagnosticIDs::Note) << Var;
    }
  }
}

const Expr *LostCancellationSourceCheck::handedOut(const FunctionBody &Body,
                                                   const VarDecl &Source) {
  const Entry *Model = roles().findType(Source.getType(), Role::Source);
  // Where cancellation comes by itself, a token of one's own is there to keep
  // it away.
  if (Model->Owner && Model->Owner->ImplicitPropagation)
    return nullptr;
  const Tokens &All = analyses().get<Tokens>();
  const Expr *First = nullptr;
  for (const Stmt *S : Body.statements()) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S);
        Lambda && llvm::any_of(Lambda->captures(), [&](const LambdaCapture &C) {
          return C.capturesVariable() && C.getCapturedVar() == &Source;
        }))
      return nullptr;
    const auto *Ref = dyn_cast<DeclRefExpr>(S);
    if (!Ref || Ref->getDecl() != &Source)
      continue;
    const Stmt *P = Body.parent(Ref);
    while (P && isa<ImplicitCastExpr, ParenExpr>(P))
      P = Body.parent(P);
    const Expr *Use = nullptr;
    if (const auto *Member = dyn_cast_or_null<MemberExpr>(P)) {
      const auto *Call = dyn_cast_or_null<CallExpr>(Body.parent(Member));
      if (!Call || roles().find(Call, Role::CancellationRequest))
        return nullptr;
      if (All.carriedBy(Call->getType()))
        Use = Call; // source.get_token()
      else if (!roles().find(Call, Role::CancellationTest) &&
               !roles().find(Call, Role::CancellationCheck))
        return nullptr;
    } else if (const auto *Call = dyn_cast_or_null<CallExpr>(P);
               Call && Model->Listened && !isa<CXXOperatorCallExpr>(Call) &&
               isAwaitableType(Call->getType(), analyses().ast())) {
      // What is awaited listens to it; others may keep it, to cancel with it.
      Use = Call;
    } else {
      return nullptr;
    }
    if (!First)
      First = Use;
  }
  return First;
}

} // namespace clang::tidy::async
