//===--- DroppedCancellationRegistrationCheck.cpp -------------------------===//

#include "DroppedCancellationRegistrationCheck.h"

using namespace async_tidy;

namespace clang::tidy::async {

bool DroppedCancellationRegistrationCheck::isRegistration(QualType T) {
  if (roles().findType(T, Role::Registration))
    return true;
  // optional<registration>, unique_ptr<registration>
  QualType Inner = wrappedType(T, {"optional", "unique_ptr"});
  return !Inner.isNull() && roles().findType(Inner, Role::Registration);
}

/// The value that the statement \p E throws away, also if cast to void.
static const Expr *discarded(const Expr *E) {
  E = stripped(E);
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
      Cast && Cast->getType()->isVoidType())
    E = stripped(Cast->getSubExpr());
  return E;
}

void DroppedCancellationRegistrationCheck::checkFunction(
    const FunctionBody &Body) {
  for (const Stmt *S : Body.statements()) {
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (!Block)
      continue;
    for (const Stmt *Part : Block->body()) {
      if (const auto *E = dyn_cast<Expr>(Part)) {
        const Expr *Value = discarded(E);
        if (!Value->isPRValue() || !isRegistration(Value->getType()) ||
            !firstReportAt(Value->getBeginLoc()))
          continue;
        auto Diag =
            diag(Value->getBeginLoc(),
                 "this registration ends at the ';', so its callback is "
                 "never called; keep it in a variable");
        if (Value->getBeginLoc() == E->getBeginLoc() &&
            !Value->getBeginLoc().isMacroID())
          Diag << FixItHint::CreateInsertion(Value->getBeginLoc(),
                                             "auto registration = ");
        continue;
      }
      // The last declaration of an inner block: nothing can happen before it
      // ends again.
      const auto *Decls = dyn_cast<DeclStmt>(Part);
      if (!Decls || Part != Block->body_back() || Block == Body.body() ||
          !Decls->isSingleDecl())
        continue;
      const auto *Var = dyn_cast<VarDecl>(Decls->getSingleDecl());
      if (Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
          isRegistration(Var->getType()) && firstReportAt(Var->getLocation()))
        diag(Var->getLocation(),
             "%0 ends with the block right behind it, so its callback is never "
             "called; declare it in the block of what it is to cancel")
            << Var;
    }
  }
}

} // namespace clang::tidy::async
