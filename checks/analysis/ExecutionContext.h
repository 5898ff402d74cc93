//===--- ExecutionContext.h - Where code runs -------------------*- C++ -*-===//
//
// Answers: where does this statement run, on the event loop or somewhere that
// may be held up?
//
// The nearest enclosing body decides. A lambda's body runs where the lambda is
// called: *here* when it is invoked on the spot, given to something that calls
// it before returning (role `inline-call`, a helper of this file that calls its
// parameter) or called by name; *elsewhere* when it is posted, stored, returned
// or given to a pool (role `offload`).
//
// A coroutine may move: after awaiting a `resume-on-pool` it runs on a pool
// until a `resume-on-loop`. That is answered on the CFG, for every path. A
// coroutine may also start on a pool: when all its uses in this file put it on
// an executor that is a `pool`. One that is only started by a thread that waits
// for it (role `sync-wait`) has that thread to itself until it first suspends.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_EXECUTIONCONTEXT_H
#define ASYNC_TIDY_ANALYSIS_EXECUTIONCONTEXT_H

#include "AnalysisContext.h"
#include "Callables.h"
#include "Coroutines.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace async_tidy {

/// What a project says about its own names, besides the models.
struct ExecutionPolicy {
  llvm::StringSet<> Pools;    ///< executor types on which blocking is fine
  llvm::StringSet<> Offloads; ///< functions that run their callables elsewhere
};

class ExecutionContext {
public:
  explicit ExecutionContext(AnalysisContext &Context,
                            ExecutionPolicy Policy = {});
  ~ExecutionContext();

  /// The callables among the arguments of \p Call that run before it returns,
  /// as far as that is not visible as a call in the callee's own body.
  llvm::SmallVector<const clang::Expr *, 2>
  inlineCallables(const clang::Expr &Call);

  /// \p Call hands its callables or awaitables to a pool.
  bool offloads(const clang::Expr &Call);

  /// \p Call hands its callables to somebody: to a pool, another loop, a queue.
  bool runsElsewhere(const clang::Expr &Call);

  /// \p E is, or comes from, an executor on which blocking is fine.
  bool isPool(const clang::Expr *E);

  /// The coroutine \p Body runs on a pool, or on a thread that waits for it
  /// anyway, when it reaches \p S, on every path.
  bool onPool(const FunctionBody &Body, const clang::Stmt *S);

private:
  /// Bits, of which several may be set where paths meet.
  enum Place : unsigned char { Unreached = 0, Loop = 1, Pool = 2, Waiter = 4 };
  struct Migration;

  bool isPoolType(clang::QualType T);
  unsigned char startOf(const clang::FunctionDecl &F);
  unsigned char placeOf(const FunctionBody &Body, const clang::Stmt *Task);
  unsigned char placeAt(const FunctionBody &Body, const clang::Stmt *S);
  bool callsParameter(const clang::FunctionDecl &F, unsigned Parameter);
  std::optional<Place> moves(const clang::Expr &Suspension);
  Migration &migration(const FunctionBody &Body);

  AnalysisContext &Context;
  Coroutines &Functions;
  ExecutionPolicy Policy;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Migration>>
      Migrations;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned char> Starts;
  llvm::DenseMap<std::pair<const clang::FunctionDecl *, unsigned>, bool>
      CallsParameter;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_EXECUTIONCONTEXT_H
