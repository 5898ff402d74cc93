//===--- SwallowedCancellationCheck.cpp -----------------------------------===//

#include "SwallowedCancellationCheck.h"
#include "clang/Lex/Lexer.h"

using namespace async_tidy;

namespace clang::tidy::async {

SwallowedCancellationCheck::SwallowedCancellationCheck(
    StringRef Name, ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Swallowed),
      IgnoreCatchAll(Options.get("IgnoreCatchAll", false)),
      IgnoreStdException(Options.get("IgnoreStdException", false)),
      IgnoreLoggingOnly(Options.get("IgnoreLoggingOnly", false)) {}

void SwallowedCancellationCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  CancellationCheck::storeOptions(Opts);
  Options.store(Opts, "IgnoreCatchAll", IgnoreCatchAll);
  Options.store(Opts, "IgnoreStdException", IgnoreStdException);
  Options.store(Opts, "IgnoreLoggingOnly", IgnoreLoggingOnly);
}

/// The text of a short returned value, quoted; empty for long ones.
static std::string returnedText(const Stmt *Return, const ASTContext &Ctx) {
  const Expr *Value = nullptr;
  if (const auto *Co = dyn_cast_or_null<CoreturnStmt>(Return))
    Value = Co->getOperand();
  else if (const auto *Plain = dyn_cast_or_null<ReturnStmt>(Return))
    Value = Plain->getRetValue();
  if (!Value)
    return "";
  StringRef Text = Lexer::getSourceText(
      CharSourceRange::getTokenRange(Value->getSourceRange()),
      Ctx.getSourceManager(), Ctx.getLangOpts());
  return Text.empty() || Text.size() > 24 || Text.contains('\n')
             ? ""
             : ("'" + Text + "'").str();
}

void SwallowedCancellationCheck::report(const CancellationFinding &F) {
  if (F.Handler) {
    QualType Caught = F.Handler->getCaughtType();
    const CXXRecordDecl *Class =
        Caught.isNull() ? nullptr
                        : Caught.getNonReferenceType()->getAsCXXRecordDecl();
    bool StdException =
        Class && Class->isInStdNamespace() && Class->getName() == "exception";
    if ((IgnoreCatchAll && Caught.isNull()) ||
        (IgnoreStdException && StdException) ||
        (IgnoreLoggingOnly && F.Flow.Logged))
      return;
  }
  const ASTContext &Ctx = analyses().ast();
  std::string Consequence;
  if (F.Flow.Stash && F.Outcome.End != PathEnd::Returns)
    Consequence = "keeps it in '" + F.Flow.Stash->getNameAsString() +
                  "', which does not reach the caller on every path";
  else if (F.Outcome.End == PathEnd::Returns) {
    std::string Value = returnedText(F.Outcome.Where, Ctx);
    Consequence = "the caller gets " + (Value.empty() ? "a value" : Value) +
                  " as if the work had been done";
  } else {
    Consequence = "the coroutine goes on as if it had not been cancelled";
  }
  {
    auto Diag = diag(F.Where, "%0 swallows cancellation: %1")
                << receiverName(F) << Consequence;
    if (std::optional<FixItHint> Fix = letThrough(F))
      Diag << *Fix;
  }
  noteSource(F);
}

} // namespace clang::tidy::async
