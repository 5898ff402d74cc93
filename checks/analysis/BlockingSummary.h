//===--- BlockingSummary.h - May this function block? -----------*- C++ -*-===//
//
// Answers: may running this function hold up its thread, and through what?
//
// A body is described by its *steps*: the places that block themselves (a call,
// construction or destruction the models know as `blocking` or `sync-wait`) and
// those that run another function of this file. What a step leads to is the
// shortest way over the steps' call graph to a place that blocks; cycles are no
// obstacle.
//
// Followed are functions and members, template instances, constructors and
// destructors (implicit ones, members and bases, local variables, discarded
// temporaries), operators, the hidden calls of a range-for, awaiters'
// functions, and lambdas that run where they stand. Not followed are coroutines
// (their own bodies are asked about), virtual calls and type-erased callables,
// system headers, functions in the namespaces of modelled libraries (the models
// say what there is to say), functions that only log, and what is declared
// nonblocking.
//
// No step is what cannot wait: a duration of zero, a future proven ready, a
// call with a flag such as MSG_DONTWAIT, an operand that is not evaluated, a
// discarded branch of `if constexpr`.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_BLOCKINGSUMMARY_H
#define ASYNC_TIDY_ANALYSIS_BLOCKINGSUMMARY_H

#include "ExecutionContext.h"
#include <bitset>

namespace async_tidy {

/// What counts as blocking in a project.
struct BlockingPolicy : ExecutionPolicy {
  BlockingPolicy() { Categories.set(); }
  /// The categories (by their number) that count.
  std::bitset<32> Categories;
  /// Names that block besides those of the models.
  std::map<std::string, Entry, std::less<>> Extra;
  /// Believe functions declared nonblocking.
  bool TrustNonblocking = true;
};

/// One place in a body that blocks, or runs a function of this file.
struct BlockingStep {
  enum Kind {
    Call,
    Construction,
    Destruction, ///< of a local variable, member or temporary
    Result,      ///< destruction of what a call returned
    Iteration,   ///< of a range-for
    Await,       ///< by the awaiter of a suspension
  } How = Call;
  const clang::Stmt *Where = nullptr; ///< null in implicit functions
  clang::SourceLocation Loc;
  /// Set when the place itself blocks, with the name as the user knows it.
  const Entry *Leaf = nullptr;
  const clang::Expr *LeafCall = nullptr;
  std::string Name;
  /// Else the function that is run.
  const clang::FunctionDecl *Callee = nullptr;
  /// That function is a lambda written here, and runs here.
  const clang::LambdaExpr *Inline = nullptr;
  /// Lambdas that the function runs but which are steps of their own here.
  llvm::SmallVector<const clang::FunctionDecl *, 1> Apart;
  /// The variable or member worked on, if any.
  const clang::ValueDecl *Object = nullptr;
};

/// From a step to what blocks in the end: the last step has the Leaf.
using BlockingChain = std::vector<const BlockingStep *>;

class BlockingSummary {
public:
  explicit BlockingSummary(AnalysisContext &Context,
                           BlockingPolicy Policy = {});
  ~BlockingSummary();

  /// The steps of \p F's body, in source order; empty when it has none here.
  llvm::ArrayRef<BlockingStep> steps(const clang::FunctionDecl &F);

  /// The shortest way from \p Step, which itself is the first of the chain, to
  /// something that blocks; empty when there is none. Valid as long as *this.
  BlockingChain chain(const BlockingStep &Step);

  /// The shortest chain of any step of \p F.
  BlockingChain mayBlock(const clang::FunctionDecl &F);

  ExecutionContext &execution() { return Execution; }

private:
  struct Facts;
  Facts &facts(const clang::FunctionDecl &F);
  bool follows(const clang::FunctionDecl &Callee,
               const clang::FunctionDecl &Caller);
  llvm::StringRef libraryScope(const clang::FunctionDecl &F);

  AnalysisContext &Context;
  BlockingPolicy Policy;
  ExecutionContext Execution;
  std::vector<std::string> LibraryScopes;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Facts>> Known;
};

/// How users call \p D: "load_config", "std::mutex::lock", "::read".
std::string displayName(const clang::NamedDecl &D);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_BLOCKINGSUMMARY_H
