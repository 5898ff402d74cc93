//===--- CancellationFaults.h - What the cancellation checks share -*- C++ -*-//
//
// One fault gives one finding: whether a handler swallows, converts or retries
// a cancellation is decided here, once for all checks of the family, and each
// check reports the kind that is its own.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_CANCELLATIONFAULTS_H
#define ASYNC_TIDY_CANCELLATIONFAULTS_H

#include "AsyncCheck.h"
#include "analysis/CancellationFlow.h"

namespace clang::tidy::async {

enum class CancellationFault {
  Swallowed,  ///< goes on, or returns, as if there had been none
  Converted,  ///< becomes another error
  Retried,    ///< the cancelled work is begun again
  Ignored,    ///< came as a value that nobody looks at
  Confused,   ///< is taken for the end of a timeout that looks the same
  Unshielded, ///< is passed on, but the cleanup before that is cancelled too
};

/// Why a fault may be none. Checks leave such findings out unless an option
/// asks for them.
enum class Excuse {
  None,
  DetachedRoot, ///< nobody waits for this coroutine, so it may end
  OwnChild,     ///< this coroutine cancelled what it awaits
  TokenAsked,   ///< the code asked its own token and acted on the answer
};

struct CancellationFinding {
  CancellationFault Fault;
  /// Where to report: the `catch`, the await, the test or the continuation.
  SourceLocation Where;
  async_tidy::FlowResult Flow;
  async_tidy::PathOutcome Outcome; ///< the path that goes wrong
  async_tidy::ThrownCancellation Form;
  const async_tidy::Library *Lib = nullptr;
  /// The await (or check) the cancellation comes from.
  const Stmt *Source = nullptr;
  const CXXTryStmt *Try = nullptr;       ///< with Handler
  const CXXCatchStmt *Handler = nullptr; ///< for handlers
  const Expr *Continuation = nullptr; ///< for `.then_wrapped(…)` and the like
  Excuse Excused = Excuse::None;
  /// Confused: the limit. Unshielded: the await that is cancelled at once.
  const Expr *Other = nullptr;
  /// The body that all of this stands in.
  const async_tidy::FunctionBody *In = nullptr;
};

/// The faults of the translation unit's functions, each computed once.
class CancellationFaults {
public:
  explicit CancellationFaults(async_tidy::AnalysisContext &Context)
      : Context(Context) {}

  llvm::ArrayRef<CancellationFinding> of(const async_tidy::FunctionBody &Body);

private:
  void handlers(const async_tidy::FunctionBody &Body, const CXXTryStmt &Try,
                std::vector<CancellationFinding> &Out);
  void values(const async_tidy::FunctionBody &Body, const Expr &Await,
              std::vector<CancellationFinding> &Out);
  void continuations(const async_tidy::FunctionBody &Body, const Expr &Call,
                     std::vector<CancellationFinding> &Out);
  /// The limit in \p S whose end looks like a cancellation, or null.
  const Expr *ambiguousLimit(const async_tidy::FunctionBody &Body,
                             const Stmt *S, unsigned Depth = 0) const;
  /// Somewhere behind \p From, \p Body asks what tells the end of a timeout
  /// from a cancellation.
  bool tellsApart(const async_tidy::FunctionBody &Body, const Stmt &From) const;
  /// What is awaited in \p Cancelled is ended from elsewhere in this file
  /// (`acceptor_.close()`), or is a timer, which is cancelled to wake somebody:
  /// the coroutine itself need not be cancelled.
  bool endedByItself(const async_tidy::FunctionBody &Body,
                     const Stmt &Cancelled) const;
  /// The first await behind the cancellation that is meant to clean up and
  /// fails at once.
  const Expr *failingCleanup(const async_tidy::FunctionBody &Body,
                             const Stmt &Cancelled,
                             const async_tidy::FlowResult &Flow,
                             const async_tidy::Library &Lib, bool Certain);
  bool endsWithoutWitness(const async_tidy::FunctionBody &Body,
                          const CXXTryStmt &Try,
                          const async_tidy::Arrival &Arriving,
                          const async_tidy::PathOutcome &Outcome) const;
  bool passesErrorOn(const FunctionDecl &Handler) const;
  bool statesTestResult(const CXXCatchStmt &Handler) const;
  bool cancelledItself(const async_tidy::FunctionBody &Body,
                       const Stmt &Before) const;

  async_tidy::AnalysisContext &Context;
  llvm::DenseMap<const async_tidy::FunctionBody *,
                 std::vector<CancellationFinding>>
      Known;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CANCELLATIONFAULTS_H
