//===--- CancellationFlow.h - What becomes of a cancellation ----*- C++ -*-===//
//
// Answers: once a cancellation has arrived (in a handler, as the result of an
// await, as a continuation's argument), where can control go, and does the
// cancellation go with it?
//
// The function is executed abstractly on the CFG in exactly one scenario: "it
// was cancelled". So much is known that other analyses must guess: the
// exception being handled, and whatever was made from it (a stored
// exception_ptr, a copied error, a code), *is* the cancellation; `if (ep)` is
// taken, `e.code() == eof` is not, `e.code() == operation_aborted` is, a token
// test says yes, and a flag that the handler set is set. Where nothing is
// known, both ways are followed. Helper functions of the same file are
// executed, too: one that rethrows is recognised by doing so.
//
// Writing the error to a log is not a use of it.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_CANCELLATIONFLOW_H
#define ASYNC_TIDY_ANALYSIS_CANCELLATIONFLOW_H

#include "CancellationArrival.h"
#include "CoroutineCfg.h"

namespace async_tidy {

/// How a path that began with a cancellation ends.
enum class PathEnd {
  Propagates,   ///< thrown on, or returned as what it is
  HandsOn,      ///< given to somebody who will deliver it
  Acknowledged, ///< the code asked its own token and acted on the answer
  Terminates,   ///< the process ends
  Converts,     ///< a different error is thrown or returned
  Returns,      ///< a value is returned as if nothing had happened
  FallsOff,     ///< the end of the function is reached
  Retries,      ///< the work that was cancelled is begun again
};

struct PathOutcome {
  PathEnd End;
  const clang::Stmt *Where =
      nullptr; ///< throw, return, await; null: body's end
  /// A branch depended on the cancellation.
  bool Tested = false;
  /// The first such branch's condition.
  const clang::Expr *Test = nullptr;
  /// An await outside the `try` stood on the path.
  bool Awaited = false;
  /// Behind the handler, a condition decided that says nothing of it.
  bool Unrelated = false;
  /// A branch asked for the cancellation by its name.
  bool Named = false;
};

/// An await on the path of a cancellation, outside what was cancelled.
struct LateAwait {
  const clang::Expr *Await;
  /// A branch on the way here depended on the cancellation.
  bool Tested;
  const clang::Expr *Test; ///< the first such branch's condition
};

struct FlowResult {
  /// One for each kind of end and place.
  llvm::SmallVector<PathOutcome, 4> Outcomes;
  /// The awaits that the coroutine comes to, still cancelled.
  llvm::SmallVector<LateAwait, 2> Late;
  /// A local variable that was given the cancellation to keep.
  const clang::ValueDecl *Stash = nullptr;
  /// `throw p;` of an exception_ptr, which throws the pointer itself.
  const clang::Stmt *ThrownPointer = nullptr;
  /// The cancellation was written to a log.
  bool Logged = false;
  /// Somebody asked whether there is an error, without a branch that shows it.
  bool Asked = false;
  /// False when the analysis gave up (too many paths); nothing is known then.
  bool Complete = true;

  /// The first outcome of kind \p End, or null.
  const PathOutcome *find(PathEnd End) const {
    for (const PathOutcome &O : Outcomes)
      if (O.End == End)
        return &O;
    return nullptr;
  }
};

class CancellationFlow {
public:
  explicit CancellationFlow(AnalysisContext &Context) : Context(Context) {}

  /// From the first statement of \p Handler, which handles \p Thrown. Reaching
  /// a suspension inside \p Try again is a retry.
  FlowResult fromHandler(const FunctionBody &Body, const clang::CXXTryStmt &Try,
                         const clang::CXXCatchStmt &Handler,
                         llvm::ArrayRef<ThrownCancellation> Thrown);

  /// From behind \p Await, which gave a cancellation as \p Value. Reaching
  /// \p Await again is a retry.
  FlowResult fromValue(const FunctionBody &Body, const clang::Expr &Await,
                       const CancellationArrivals::ValueResult &Value,
                       llvm::ArrayRef<ThrownCancellation> Thrown);

  /// The whole of \p Body, whose parameter \p Index is a cancellation.
  FlowResult fromParameter(const FunctionBody &Body, unsigned Index,
                           llvm::ArrayRef<ThrownCancellation> Thrown);

private:
  AnalysisContext &Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_CANCELLATIONFLOW_H
