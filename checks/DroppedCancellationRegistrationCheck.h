//===--- DroppedCancellationRegistrationCheck.h -----------------*- C++ -*-===//
//
// Finds registrations of cancellation callbacks that end before anything can
// call them: unnamed temporaries, discarded results, and variables whose scope
// ends right behind them.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_DROPPEDCANCELLATIONREGISTRATIONCHECK_H
#define ASYNC_TIDY_DROPPEDCANCELLATIONREGISTRATIONCHECK_H

#include "AsyncCheck.h"

namespace clang::tidy::async {

class DroppedCancellationRegistrationCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// Registrations are made in plain functions, too.
  bool wantsPlainFunction(const FunctionDecl &) override { return true; }

private:
  bool isRegistration(QualType T);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_DROPPEDCANCELLATIONREGISTRATIONCHECK_H
