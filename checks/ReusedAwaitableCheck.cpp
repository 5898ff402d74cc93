//===--- ReusedAwaitableCheck.cpp -----------------------------------------===//

#include "ReusedAwaitableCheck.h"
#include "analysis/SingleUse.h"

using namespace async_tidy;

namespace clang::tidy::async {

void ReusedAwaitableCheck::checkFunction(const FunctionBody &Body) {
  if (!Body.isCoroutine())
    return;
  for (const SecondUse &Use : analyses().get<SingleUse>().secondUsesIn(Body)) {
    if (!firstReportAt(Use.Second->getBeginLoc()))
      continue;
    bool SameAgain = Use.First == Use.Second;
    diag(Use.Second->getBeginLoc(),
         "%0 was used up %select{before|in the turn before}1: what it stands "
         "for runs once; make a new one for each attempt")
        << Use.Task << SameAgain;
    if (!SameAgain)
      diag(Use.First->getBeginLoc(), "it was moved away here",
           DiagnosticIDs::Note);
    diag(Use.Task->getLocation(), "it is made here", DiagnosticIDs::Note);
  }
}

} // namespace clang::tidy::async
