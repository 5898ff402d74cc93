//===--- RetriedCancellationCheck.cpp -------------------------------------===//

#include "RetriedCancellationCheck.h"

using namespace async_tidy;

namespace clang::tidy::async {

RetriedCancellationCheck::RetriedCancellationCheck(StringRef Name,
                                                   ClangTidyContext *Context)
    : CancellationCheck(Name, Context, CancellationFault::Retried) {}

void RetriedCancellationCheck::report(const CancellationFinding &F) {
  // Where cancellation sticks, the next turn's await fails at once.
  StringRef Then = F.Handler && F.Lib && F.Lib->Sticky && !F.Outcome.Awaited
                       ? "each turn fails again at once, so the loop spins"
                       : "it cannot be stopped from outside";
  if (F.Handler || F.Continuation) {
    auto Diag = diag(F.Where, "%0 retries after cancellation: %1")
                << receiverName(F) << Then;
    if (std::optional<FixItHint> Fix = letThrough(F))
      Diag << *Fix;
  } else {
    diag(F.Where, "this loop retries after cancellation, which is one of the "
                  "errors tested here: %0")
        << Then;
    diag(F.Source->getBeginLoc(),
         "a cancellation comes as the result of this await",
         DiagnosticIDs::Note);
  }
  noteSource(F);
}

} // namespace clang::tidy::async
