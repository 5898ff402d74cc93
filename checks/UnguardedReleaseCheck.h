//===--- UnguardedReleaseCheck.h --------------------------------*- C++ -*-===//
//
// Finds locks and permits that a coroutine acquires and gives back by hand, and
// does not give back when an await in between fails or is cancelled; waits for
// one under a timeout that drops it; and guards that give back what was never
// had.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNGUARDEDRELEASECHECK_H
#define ASYNC_TIDY_UNGUARDEDRELEASECHECK_H

#include "AsyncCheck.h"
#include "analysis/Permits.h"

namespace clang::tidy::async {

class UnguardedReleaseCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  bool checkTimeout(const async_tidy::FunctionBody &Body,
                    const async_tidy::Permit &P);
  bool checkGuard(const async_tidy::FunctionBody &Body,
                  const async_tidy::Permit &P);
  void checkRelease(const async_tidy::FunctionBody &Body,
                    const async_tidy::Permit &P);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNGUARDEDRELEASECHECK_H
