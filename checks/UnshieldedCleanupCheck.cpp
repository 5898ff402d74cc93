//===--- UnshieldedCleanupCheck.cpp ---------------------------------------===//

#include "UnshieldedCleanupCheck.h"
#include "TimeText.h"
#include "clang-tidy/utils/OptionsUtils.h"
#include "clang/Lex/Lexer.h"

using namespace async_tidy;

namespace clang::tidy::async {

UnshieldedCleanupCheck::UnshieldedCleanupCheck(StringRef Name,
                                               ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Unshielded),
      ShieldFunctions(
          utils::options::parseStringList(Options.get("ShieldFunctions", ""))),
      CancelImmune(
          utils::options::parseStringList(Options.get("CancelImmune", ""))) {}

void UnshieldedCleanupCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  CancellationCheck::storeOptions(Opts);
  Options.store(Opts, "ShieldFunctions",
                utils::options::serializeStringList(ShieldFunctions));
  Options.store(Opts, "CancelImmune",
                utils::options::serializeStringList(CancelImmune));
}

/// The fix-it that awaits \p Await uncancelled, if \p Lib has a way.
static std::optional<FixItHint> shielded(const FunctionBody &Body,
                                         const Expr &Await, const Library &Lib,
                                         const ASTContext &Ctx) {
  if (Await.getBeginLoc().isMacroID() || Await.getEndLoc().isMacroID())
    return std::nullopt;
  if (!Lib.ShieldExpression.empty()) {
    const Expr *Operand = suspensionOperand(Await);
    size_t At = Lib.ShieldExpression.find("{0}");
    if (!Operand || At == std::string::npos)
      return std::nullopt;
    auto Range = CharSourceRange::getTokenRange(Operand->getSourceRange());
    StringRef Text =
        Lexer::getSourceText(Range, Ctx.getSourceManager(), Ctx.getLangOpts());
    if (Text.empty())
      return std::nullopt;
    std::string New = Lib.ShieldExpression;
    return FixItHint::CreateReplacement(Range, New.replace(At, 3, Text.str()));
  }
  const Stmt *Statement = &Await;
  while (const Stmt *P = Body.parent(Statement)) {
    if (isa<CompoundStmt>(P))
      break;
    Statement = P;
  }
  if (Lib.ShieldStatement.empty() || isa<IfStmt, ForStmt, WhileStmt>(Statement))
    return std::nullopt;
  return FixItHint::CreateInsertion(Statement->getBeginLoc(),
                                    Lib.ShieldStatement + " ");
}

bool UnshieldedCleanupCheck::isTrusted(const Expr &Operand) {
  bool Trusted = false;
  walkWritten(&Operand, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr)
      Trusted |= isNamed(*Callee, ShieldFunctions) ||
                 (Call == &Operand && isNamed(*Callee, CancelImmune));
    return !Trusted;
  });
  return Trusted;
}

void UnshieldedCleanupCheck::checkFunction(const FunctionBody &Body) {
  CancellationCheck::checkFunction(Body);
  if (!Body.isCoroutine())
    return;
  for (const Stmt *S : Body.statements())
    if (const auto *If = dyn_cast<IfStmt>(S))
      checkTest(Body, *If);
}

void UnshieldedCleanupCheck::checkTest(const FunctionBody &Body,
                                       const IfStmt &Test) {
  const Expr *Condition = stripped(Test.getCond());
  const Expr *Object =
      isa_and_nonnull<CallExpr>(Condition) ? objectOf(*Condition) : nullptr;
  const auto *Token =
      Object ? dyn_cast<DeclRefExpr>(stripped(Object)) : nullptr;
  const auto *Block = dyn_cast<CompoundStmt>(Test.getThen());
  if (!Token || !isa<ParmVarDecl>(Token->getDecl()) ||
      !roles().find(Condition, Role::CancellationTest) || !Block ||
      Block->body_empty())
    return;
  const Stmt *Last = Block->body_back();
  if (const auto *E = dyn_cast<Expr>(Last))
    Last = stripped(E);
  if (!isa<CoreturnStmt, CXXThrowExpr>(Last))
    return;
  for (const Stmt *Part : Block->body()) {
    const auto *Await = dyn_cast<CoawaitExpr>(
        isa<Expr>(Part) ? stripped(cast<Expr>(Part)) : Part);
    const Expr *Operand = Await ? stripped(suspensionOperand(*Await)) : nullptr;
    if (!isa_and_nonnull<CallExpr>(Operand) || isTrusted(*Operand))
      continue;
    bool Same = llvm::any_of(argumentsOf(*Operand), [&](const Expr *Arg) {
      const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Arg));
      return Ref && Ref->getDecl() == Token->getDecl();
    });
    for (Role R : {Role::Immune, Role::Sleep, Role::TimerWait, Role::Shield,
                   Role::CancellationCheck, Role::ToValue})
      Same &= !roles().find(Operand, R);
    if (!Same || !firstReportAt(Await->getBeginLoc()))
      continue;
    diag(Await->getBeginLoc(),
         "this cleanup does not run: the token is still cancelled, so %0 is "
         "cancelled at once")
        << calleeText(Operand);
    diag(Condition->getBeginLoc(), "the token was asked here",
         DiagnosticIDs::Note);
    return;
  }
}

void UnshieldedCleanupCheck::report(const CancellationFinding &F) {
  const Expr *Operand = stripped(suspensionOperand(*F.Other));
  if (isTrusted(*Operand))
    return;
  {
    auto Diag = diag(F.Where, F.Lib->ImplicitPropagation
                                  ? "this cleanup does not run: the coroutine "
                                    "is still cancelled, so %0 is cancelled "
                                    "at once"
                                  : "this cleanup does not run: the token is "
                                    "still cancelled, so %0 is cancelled at "
                                    "once")
                << calleeText(Operand);
    if (F.Lib->ImplicitPropagation)
      if (std::optional<FixItHint> Fix =
              shielded(*F.In, *F.Other, *F.Lib, analyses().ast()))
        Diag << *Fix;
  }
  if (F.Handler)
    diag(F.Handler->getCatchLoc(), "the cancellation is caught here",
         DiagnosticIDs::Note);
  else if (F.Source)
    diag(F.Source->getBeginLoc(), "the cancellation comes as this result",
         DiagnosticIDs::Note);
}

} // namespace clang::tidy::async
