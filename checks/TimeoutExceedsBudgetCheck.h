//===--- TimeoutExceedsBudgetCheck.h ----------------------------*- C++ -*-===//
//
// Finds limits that are longer than the limit around them, alone or added up:
// the inner one never runs out, the last step or attempt never gets its time.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TIMEOUTEXCEEDSBUDGETCHECK_H
#define ASYNC_TIDY_TIMEOUTEXCEEDSBUDGETCHECK_H

#include "AsyncCheck.h"
#include "analysis/TimeSums.h"

namespace clang::tidy::async {

class TimeoutExceedsBudgetCheck : public AsyncCheck {
public:
  TimeoutExceedsBudgetCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;
  /// One that returns what its caller awaits.
  bool wantsPlainFunction(const FunctionDecl &F) override;

private:
  /// What all of a sum has to fit into.
  struct Budget {
    async_tidy::Amount Time; ///< its High is known
    const async_tidy::FunctionBody *In;
    /// The limit, and null for the budget of a handler.
    const async_tidy::Limit *From;
  };

  void judge(const Budget &Outer, const async_tidy::TimeSum &Sum);
  bool isUsedOtherwise(const Budget &Outer, const async_tidy::TimeStretch &Part,
                       double Needs);
  void report(const Budget &Outer, const async_tidy::TimeSum &Sum,
              const async_tidy::TimeStretch &Culprit, bool Alone);

  const bool EqualIsBad;
  const bool SumSequential;
  const unsigned MaxDepth;
  const StringRef HandlerBudgetText;
  std::optional<double> HandlerBudget; ///< nanoseconds
  const std::vector<StringRef> Handlers;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_TIMEOUTEXCEEDSBUDGETCHECK_H
