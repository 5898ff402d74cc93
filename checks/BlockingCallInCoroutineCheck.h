//===--- BlockingCallInCoroutineCheck.h - async-blocking-call-in-coroutine ===//
//
// Finds calls that hold up the event loop's thread inside a coroutine: sleeps,
// waits for threads, futures and processes, synchronous network, database and
// file access; directly, hidden in constructors, destructors, operators and
// awaiters, or through helpers of the same file. Documentation:
// docs/checks/async-blocking-call-in-coroutine.md
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_BLOCKINGCALLINCOROUTINECHECK_H
#define ASYNC_TIDY_BLOCKINGCALLINCOROUTINECHECK_H

#include "AsyncCheck.h"
#include "analysis/BlockingSummary.h"

namespace clang::tidy::async {

class BlockingCallInCoroutineCheck : public AsyncCheck {
public:
  BlockingCallInCoroutineCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  /// One place to report: a step of the coroutine, or of a lambda that runs in
  /// it, and the way to what blocks.
  struct Finding {
    async_tidy::BlockingChain Chain;
    /// Where the coroutine is at that moment.
    const Stmt *Where;
    /// The calls that run the lambdas which the step is written in.
    std::vector<const async_tidy::BlockingStep *> Lambdas;
  };

  void parseExtraBlocking();
  void collect(const async_tidy::FunctionBody &Body, const FunctionDecl &In,
               const Finding *Outer, std::vector<Finding> &Out);
  bool isExempt(const async_tidy::FunctionBody &Body, const Finding &F);
  void keepOnePerFault(const async_tidy::FunctionBody &Body,
                       std::vector<Finding> &Findings);
  void report(const async_tidy::FunctionBody &Body, const Finding &F);
  FixItHint fix(const async_tidy::FunctionBody &Body, const Finding &F,
                const async_tidy::Library *Library);

  async_tidy::BlockingPolicy Policy;
  const std::string ExtraBlocking, OffloadFunctions, SchedulersAllowed;
  const unsigned MaxChain;
  const std::string TestFileRegex;

  std::unique_ptr<async_tidy::BlockingSummary> Summary;
  const async_tidy::AnalysisContext *SummaryOf = nullptr;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_BLOCKINGCALLINCOROUTINECHECK_H
