//===--- TimeoutConfusedWithCancellationCheck.cpp -------------------------===//

#include "TimeoutConfusedWithCancellationCheck.h"
#include "analysis/CancellationState.h"

using namespace async_tidy;

namespace clang::tidy::async {

TimeoutConfusedWithCancellationCheck::TimeoutConfusedWithCancellationCheck(
    StringRef Name, ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Confused) {}

void TimeoutConfusedWithCancellationCheck::checkFunction(
    const FunctionBody &Body) {
  CancellationCheck::checkFunction(Body);
  if (!Body.isCoroutine())
    return;
  for (const Stmt *S : Body.statements())
    if (const auto *Handler = dyn_cast<CXXCatchStmt>(S))
      reportTranslation(Body, *Handler);
}

void TimeoutConfusedWithCancellationCheck::report(
    const CancellationFinding &F) {
  if (F.Handler)
    diag(F.Where, "%0 takes every cancellation for the timeout: one by the "
                  "caller looks the same and is lost")
        << receiverName(F);
  else
    diag(F.Where, "this takes every cancellation for the timeout: one by the "
                  "caller looks the same and is lost");
  diag(F.Other->getBeginLoc(),
       "when time is up here, it looks like a cancellation",
       DiagnosticIDs::Note);
}

/// A branch between \p S and \p Handler asks whether it was cancelled as well.
static bool asksForCancellation(const FunctionBody &Body, const Stmt *S,
                                const CXXCatchStmt &Handler,
                                const SymbolRoles &Roles) {
  for (; S && S != &Handler; S = Body.parent(S)) {
    const auto *If = dyn_cast<IfStmt>(S);
    if (If && findWritten(If->getCond(), Roles, Role::CancellationTest))
      return true;
  }
  return false;
}

void TimeoutConfusedWithCancellationCheck::reportTranslation(
    const FunctionBody &Body, const CXXCatchStmt &Handler) {
  QualType Caught = Handler.getCaughtType();
  if (Caught.isNull() || !roles().findType(Caught, Role::TimeoutType) ||
      roles().findType(Caught, Role::CancellationType))
    return;
  CancellationEvaluator Evaluator(roles(), {});
  for (const Stmt *S : Body.statements()) {
    if (!Body.contains(Handler.getHandlerBlock(), S))
      continue;
    bool Raises = false;
    if (const auto *Throw = dyn_cast<CXXThrowExpr>(S)) {
      const Expr *Value = Throw->getSubExpr();
      Raises = Value && (Evaluator.isCancellationType(Value->getType()) ||
                         Evaluator.namesCancellation(Value));
    } else if (isSuspension(*S)) {
      const Expr *Operand = stripped(suspensionOperand(*S));
      Raises =
          Operand && roles().find(Operand, Role::CancellationRaise) &&
          (Evaluator.namesCancellation(Operand) || isa<DeclRefExpr>(Operand));
    }
    if (!Raises || asksForCancellation(Body, S, Handler, roles()) ||
        !firstReportAt(S->getBeginLoc()))
      continue;
    diag(S->getBeginLoc(), "this reports a timeout as a cancellation, which "
                           "callers drop without an error");
    diag(Handler.getCatchLoc(), "the timeout is caught here",
         DiagnosticIDs::Note);
  }
}

} // namespace clang::tidy::async
