//===--- CancellationTypeMismatchCheck.h ------------------------*- C++ -*-===//
//
// Finds requests to stop, by a timeout or a signal, that are too mild for the
// spawned coroutine they are aimed at: it listens to hard ones only, so they
// are dropped without a word. How mild a request is and what a coroutine
// listens to is the `level` of the models' entries.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_CANCELLATIONTYPEMISMATCHCHECK_H
#define ASYNC_TIDY_CANCELLATIONTYPEMISMATCHCHECK_H

#include "AsyncCheck.h"

namespace clang::tidy::async {

class CancellationTypeMismatchCheck : public AsyncCheck {
public:
  using AsyncCheck::AsyncCheck;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// Coroutines are mostly started by functions that are none.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  void report(const Expr &Constant, const async_tidy::Entry &Request,
              unsigned Listens, const Expr &Spawn, bool Timeout);
  void checkTimeouts(const async_tidy::FunctionBody &Body, const Expr &Spawn);
  void checkSignal(const async_tidy::FunctionBody &Body, const Expr &Request);
  /// The constant in \p E that says how mild the request is, if one does.
  const Expr *requested(const Expr &E);
  /// The mildest request that the coroutine \p Spawn starts listens to.
  unsigned listens(const async_tidy::FunctionBody &Body, const Expr &Spawn);
  std::optional<unsigned> filterIn(const async_tidy::FunctionBody &Body,
                                   unsigned Depth);
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CANCELLATIONTYPEMISMATCHCHECK_H
