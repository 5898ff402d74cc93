//===--- WrongCancellationTokenCheck.cpp ----------------------------------===//

#include "WrongCancellationTokenCheck.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace async_tidy;

namespace clang::tidy::async {

void WrongCancellationTokenCheck::checkFunction(const FunctionBody &Body) {
  if (isTidyingUp(Body.function(), roles()))
    return;
  for (const Stmt *S : Body.statements()) {
    if (const auto *Try = dyn_cast<CXXTryStmt>(S))
      checkHandlers(Body, *Try);
    if (const auto *Decls = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          checkEmptyToken(Body, *Var);
  }
}

/// A constant, or a name such as `none`, says that it is empty on purpose.
static bool isEmptyOnPurpose(const VarDecl &Var) {
  StringRef Name = Var.getName();
  return Var.getType().isConstQualified() || Var.isConstexpr() ||
         llvm::any_of(
             ArrayRef<StringRef>{"no", "empty", "dummy", "never", "unused",
                                 "ignore", "default"},
             [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

void WrongCancellationTokenCheck::checkEmptyToken(const FunctionBody &Body,
                                                  const VarDecl &Empty) {
  if (!Empty.getIdentifier() || !isMadeEmpty(Empty) || isEmptyOnPurpose(Empty))
    return;
  const Entry *Model = roles().findType(Empty.getType(), Role::Token);
  // Some tokens are sources as well, which are not empty.
  if (!Model || roles().findType(Empty.getType(), Role::Source) ||
      roles().findType(Empty.getType(), Role::Deadline))
    return;
  const Expr *Passed = nullptr;
  for (const Stmt *S : Body.statements()) {
    const auto *Ref = dyn_cast<DeclRefExpr>(S);
    if (Ref && Ref->getDecl() == &Empty) {
      const Stmt *P = Body.parent(Ref);
      while (P &&
             (isa<ImplicitCastExpr, ParenExpr, CXXBindTemporaryExpr,
                  MaterializeTemporaryExpr>(P) ||
              (isa<CXXConstructExpr>(P) && cast<CXXConstructExpr>(P)
                                               ->getConstructor()
                                               ->isCopyOrMoveConstructor())))
        P = Body.parent(P);
      const auto *Call = dyn_cast_or_null<CallExpr>(P);
      // Assigned to, or given to who may fill it.
      if (!Call || isa<CXXOperatorCallExpr>(Call) || objectOf(*Call) == Ref ||
          !isAwaitableType(Call->getType(), analyses().ast()))
        return;
      Passed = Passed ? Passed : Ref;
    }
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCapturedVar() == &Empty)
          return;
  }
  if (!Passed)
    return;
  const Tokens &All = analyses().get<Tokens>();
  for (const ReachableToken &T : All.reachable(Body, *Passed))
    if (T.Decl != &Empty && T.From != ReachableToken::Local &&
        !All.spelledFor(Empty.getType(), T.Decl->getType(), "x").empty() &&
        firstReportAt(Passed->getBeginLoc())) {
      diag(Passed->getBeginLoc(),
           "%0 is empty and never cancelled; %1 is the token of this work")
          << &Empty << T.Decl;
      return;
    }
}

void WrongCancellationTokenCheck::checkHandlers(const FunctionBody &Body,
                                                const CXXTryStmt &Try) {
  const Tokens &All = analyses().get<Tokens>();
  // The parameters that are tokens and mentioned in \p S; false when tokens of
  // another kind are, which makes everything possible.
  auto Mentioned = [&](const Stmt *S,
                       llvm::SmallPtrSetImpl<const ValueDecl *> &Found) {
    bool Known = true;
    walkWritten(S, [&](const Stmt &Part) {
      const auto *E = dyn_cast<Expr>(&Part);
      if (!E || !isa<DeclRefExpr, MemberExpr, LambdaExpr>(E))
        return true;
      if (isa<LambdaExpr>(E)) {
        Known = false;
        return true;
      }
      if (!All.carriedBy(E->getType()))
        return true;
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      if (Ref && isa<ParmVarDecl>(Ref->getDecl()))
        Found.insert(Ref->getDecl());
      else
        Known = false;
      return true;
    });
    return Known;
  };
  llvm::SmallPtrSet<const ValueDecl *, 4> Given;
  if (!Mentioned(Try.getTryBlock(), Given) || Given.size() != 1 ||
      suspensionsIn(Try.getTryBlock()).empty())
    return;
  for (unsigned I = 0; I != Try.getNumHandlers(); ++I) {
    llvm::SmallPtrSet<const ValueDecl *, 4> Asked;
    if (!Mentioned(Try.getHandler(I), Asked) || Asked.size() != 1 ||
        *Asked.begin() == *Given.begin())
      continue;
    const Expr *Test =
        findWritten(Try.getHandler(I), roles(), Role::CancellationTest);
    if (!Test || !firstReportAt(Test->getBeginLoc()))
      continue;
    diag(Test->getBeginLoc(),
         "this asks %0, but the work in the 'try' was given %1")
        << *Asked.begin() << *Given.begin();
  }
}

} // namespace clang::tidy::async
