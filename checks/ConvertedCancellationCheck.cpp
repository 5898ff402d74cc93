//===--- ConvertedCancellationCheck.cpp -----------------------------------===//

#include "ConvertedCancellationCheck.h"

using namespace async_tidy;

namespace clang::tidy::async {

ConvertedCancellationCheck::ConvertedCancellationCheck(
    StringRef Name, ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Converted) {}

void ConvertedCancellationCheck::report(const CancellationFinding &F) {
  if (F.Flow.ThrownPointer) {
    diag(F.Flow.ThrownPointer->getBeginLoc(),
         "this throws the exception_ptr itself, not the cancellation it holds: "
         "no handler for that will match; rethrow what it holds");
  } else {
    auto Diag =
        diag(F.Where, "%0 turns cancellation into another error: callers "
                      "will retry or report a failure that is none")
        << receiverName(F);
    if (std::optional<FixItHint> Fix = letThrough(F))
      Diag << *Fix;
  }
  if (F.Outcome.Where && !F.Flow.ThrownPointer)
    diag(F.Outcome.Where->getBeginLoc(), "the other error is raised here",
         DiagnosticIDs::Note);
  noteSource(F);
}

} // namespace clang::tidy::async
