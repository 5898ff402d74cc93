//===--- ConvertedCancellationCheck.cpp -----------------------------------===//

#include "ConvertedCancellationCheck.h"
#include "clang/Lex/Lexer.h"

using namespace async_tidy;

namespace clang::tidy::async {

ConvertedCancellationCheck::ConvertedCancellationCheck(
    StringRef Name, ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Converted) {}

static bool isExceptionPtr(QualType T) {
  const CXXRecordDecl *Class =
      T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier() || Class->getName() != "exception_ptr")
    return false;
  return StringRef(canonicalName(*Class)).starts_with("std::");
}

/// Somebody around \p Throw in \p Body waits for just such a pointer.
static bool isPointerHandled(const FunctionBody &Body,
                             const CXXThrowExpr &Throw) {
  for (const Stmt *S = Body.parent(&Throw); S; S = Body.parent(S))
    if (const auto *Try = dyn_cast<CXXTryStmt>(S);
        Try && Body.contains(Try->getTryBlock(), &Throw))
      for (unsigned I = 0; I != Try->getNumHandlers(); ++I)
        if (isExceptionPtr(Try->getHandler(I)->getCaughtType()))
          return true;
  return false;
}

void ConvertedCancellationCheck::checkFunction(const FunctionBody &Body) {
  CancellationCheck::checkFunction(Body);
  // It is wrong whether or not a cancellation comes here, in all libraries.
  for (const Stmt *S : Body.statements())
    if (const auto *Throw = dyn_cast<CXXThrowExpr>(S);
        Throw && Throw->getSubExpr() &&
        isExceptionPtr(Throw->getSubExpr()->getType()) &&
        !isPointerHandled(Body, *Throw))
      reportThrownPointer(*Throw, "exception");
}

void ConvertedCancellationCheck::reportThrownPointer(const CXXThrowExpr &Throw,
                                                     StringRef Held) {
  if (!firstReportAt(Throw.getThrowLoc()))
    return;
  auto Diag = diag(Throw.getThrowLoc(),
                   "this throws the exception_ptr itself, not the %0 it holds: "
                   "no handler for that will match; rethrow what it holds")
              << Held;
  SourceLocation End = Lexer::getLocForEndOfToken(
      Throw.getEndLoc(), 0, analyses().ast().getSourceManager(), getLangOpts());
  if (Throw.getThrowLoc().isMacroID() || End.isInvalid() ||
      !isExceptionPtr(Throw.getSubExpr()->getType()))
    return;
  Diag << FixItHint::CreateReplacement(
              CharSourceRange::getCharRange(Throw.getThrowLoc(),
                                            Throw.getSubExpr()->getBeginLoc()),
              "std::rethrow_exception(")
       << FixItHint::CreateInsertion(End, ")");
}

void ConvertedCancellationCheck::report(const CancellationFinding &F) {
  if (const auto *Throw =
          dyn_cast_or_null<CXXThrowExpr>(F.Flow.ThrownPointer)) {
    reportThrownPointer(*Throw, "cancellation");
    return noteSource(F);
  }
  {
    auto Diag =
        diag(F.Where, "%0 turns cancellation into another error: callers "
                      "will retry or report a failure that is none")
        << receiverName(F);
    if (std::optional<FixItHint> Fix = letThrough(F))
      Diag << *Fix;
  }
  if (F.Outcome.Where)
    diag(F.Outcome.Where->getBeginLoc(), "the other error is raised here",
         DiagnosticIDs::Note);
  noteSource(F);
}

} // namespace clang::tidy::async
