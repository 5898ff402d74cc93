//===--- CoroutineCfg.h - Control flow of what the user wrote ---*- C++ -*-===//
//
// Builds clang's CFG for a function body in the shape the analyses need and
// finds statements in it.
//
// Facts it rests on (clang 19 and 22, pinned by
// test/unit/CoroutineCfgTest.cpp):
// - The CFG must be built from a coroutine's inner body. Of CoroutineBodyStmt
// the
//   builder visits the promise's construction, the initial suspend and so on as
//   if they followed the body.
// - A `co_await` is straight-line code: no branch for suspension or
// destruction.
// - Where `await_resume` never returns (as of a `co_yield` that ends the
//   coroutine), the block ends at that call: the suspension itself is in a
//   block that nothing leads to.
// - Without EH edges, handlers have no predecessor but are there: each is a
// block
//   labelled with its CXXCatchStmt. Analyses that follow an exception start
//   there and choose among handlers by type themselves, which the CFG's own EH
//   edges do not.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_COROUTINECFG_H
#define ASYNC_TIDY_ANALYSIS_COROUTINECFG_H

#include "Coroutines.h"
#include "clang/Analysis/CFG.h"

namespace async_tidy {

/// A place in a CFG: the element \c Index of \c Block.
struct CfgPoint {
  const clang::CFGBlock *Block = nullptr;
  unsigned Index = 0;
  explicit operator bool() const { return Block != nullptr; }
};

/// The CFG of one function body, every expression an element of its own.
class CoroutineCfg {
public:
  CoroutineCfg(const FunctionBody &Body, clang::ASTContext &Ctx);

  /// False when clang could not build it (broken code).
  bool valid() const { return Graph != nullptr; }
  const clang::CFG &graph() const { return *Graph; }
  const FunctionBody &body() const { return Body; }

  /// Where \p S is evaluated; none for statements that are no elements.
  CfgPoint find(const clang::Stmt *S) const { return Points.lookup(S); }
  /// The suspension that never returns from its `await_resume`, where that call
  /// is \p S; null for anything else.
  const clang::Expr *endedBy(const clang::Stmt *S) const {
    return Endings.lookup(S);
  }
  /// How a walk goes on behind a statement.
  enum class Step {
    On,    ///< to what comes next
    Raise, ///< there and into the handlers around it: it may fail
    End,   ///< nowhere
  };
  /// Visits what may be evaluated after \p Start, each statement once. Where
  /// \p Visit says Raise, handlers of all types are entered, as it is not known
  /// what is thrown.
  void walkFrom(const clang::Stmt &Start,
                llvm::function_ref<Step(const clang::Stmt &)> Visit) const;
  /// A handler around \p S takes everything that is thrown there.
  bool isAllCaught(const clang::Stmt *S) const;
  /// The block where \p Handler begins.
  const clang::CFGBlock *handlerBlock(const clang::CXXCatchStmt *Handler) const;

private:
  /// The handlers around \p S, innermost first, up to one that takes all.
  llvm::SmallVector<const clang::CXXCatchStmt *, 4>
  handlersAround(const clang::Stmt *S) const;

  const FunctionBody &Body;
  std::unique_ptr<clang::CFG> Graph;
  llvm::DenseMap<const clang::Stmt *, CfgPoint> Points;
  llvm::DenseMap<const clang::Stmt *, const clang::Expr *> Endings;
};

/// The CFGs of a translation unit, each built once.
class CoroutineCfgs {
public:
  explicit CoroutineCfgs(AnalysisContext &Context) : Context(Context) {}
  const CoroutineCfg &of(const FunctionBody &Body);

private:
  AnalysisContext &Context;
  llvm::DenseMap<const FunctionBody *, std::unique_ptr<CoroutineCfg>> Built;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_COROUTINECFG_H
