//===--- UnbudgetedRetryCheck.h - async-unbudgeted-retry --------*- C++ -*-===//
//
// Finds retry loops in which each attempt has a limit and their sum has none:
// four attempts of one second each take four seconds, whatever the caller has.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNBUDGETEDRETRYCHECK_H
#define ASYNC_TIDY_UNBUDGETEDRETRYCHECK_H

#include "AsyncCheck.h"
#include "analysis/RetryLoops.h"

namespace clang::tidy::async {

class UnbudgetedRetryCheck : public AsyncCheck {
public:
  UnbudgetedRetryCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  /// One limited await that is tried again.
  struct Attempt {
    const async_tidy::FunctionBody *Body;
    async_tidy::Limit Limit;
    async_tidy::RetryLoop Retry;
    /// The call of the helper that tries again, if it is not a loop here.
    const Expr *HelperCall = nullptr;
  };

  /// The limit that \p Awaited of \p Body gives each attempt of \p Loop anew,
  /// when nothing there bounds them together.
  std::optional<async_tidy::Limit>
  freshLimit(const async_tidy::FunctionBody &Body, const Stmt *Loop,
             const Expr *Awaited);
  bool isBudgeted(const async_tidy::FunctionBody &Body, const Stmt *Loop);
  bool mentionsDeadlineType(const async_tidy::FunctionBody &Body,
                            const Stmt *Region, const Stmt *Loop);
  void checkLoops(const async_tidy::FunctionBody &Body);
  void checkHelpers(const async_tidy::FunctionBody &Body);
  void report(const Attempt &A, ArrayRef<Attempt> Others);
  void addTimeline(const Attempt &A, SourceLocation Where);
  std::string describe(const Attempt &A, const async_tidy::Amount &Each,
                       ArrayRef<Attempt> Others);

  const std::vector<StringRef> RetryHelpers;
  const std::vector<StringRef> DeadlineTypes;
  const StringRef OuterBudgetText;
  std::optional<double> OuterBudget; ///< nanoseconds
  const unsigned MinAttempts;
  const bool EndpointLoops;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNBUDGETEDRETRYCHECK_H
