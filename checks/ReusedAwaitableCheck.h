//===--- ReusedAwaitableCheck.h ---------------------------------*- C++ -*-===//
//
// Finds tasks that are awaited or handed on a second time, mostly in the next
// turn of a retry loop: a task runs once.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_REUSEDAWAITABLECHECK_H
#define ASYNC_TIDY_REUSEDAWAITABLECHECK_H

#include "AsyncCheck.h"

namespace clang::tidy::async {

class ReusedAwaitableCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_REUSEDAWAITABLECHECK_H
