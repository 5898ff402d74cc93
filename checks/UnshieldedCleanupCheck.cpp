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

void UnshieldedCleanupCheck::report(const CancellationFinding &F) {
  const Expr *Operand = stripped(suspensionOperand(*F.Other));
  bool Trusted = false;
  walkWritten(Operand, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr)
      Trusted |= isNamed(*Callee, ShieldFunctions) ||
                 (Call == Operand && isNamed(*Callee, CancelImmune));
    return !Trusted;
  });
  if (Trusted)
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
    const FunctionBody *Body = F.In;
    if (F.Lib->ImplicitPropagation && Body)
      if (std::optional<FixItHint> Fix =
              shielded(*Body, *F.Other, *F.Lib, analyses().ast()))
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
