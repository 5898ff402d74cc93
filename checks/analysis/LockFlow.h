//===--- LockFlow.h - How locks are followed through a body -----*- C++ -*-===//
//
// The insides of HeldLocks, for the files that make it up: LockTaking.cpp (what
// new objects own), LockCalls.cpp (what calls do), HeldLocks.cpp (conditions,
// suspensions, and the flow itself). Nobody else includes this.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_LOCKFLOW_H
#define ASYNC_TIDY_ANALYSIS_LOCKFLOW_H

#include "HeldLocks.h"
#include "LockTypes.h"
#include "ObjectPaths.h"
#include <set>

namespace async_tidy {

/// What is known on one way to a place.
struct LockState {
  std::map<std::string, const LockSite *> Held; ///< by the owner's path
  std::map<std::string, bool> Facts;            ///< by question
  std::map<std::string, const clang::Stmt *>
      Confined;                                    ///< given back at this end
  std::map<std::string, const clang::Stmt *> Open; ///< not held until this end
  auto tied() const { return std::tie(Held, Facts, Confined, Open); }
  bool operator<(const LockState &O) const { return tied() < O.tied(); }
  bool operator==(const LockState &O) const { return tied() == O.tied(); }
};

class HeldLocks::Flow {
public:
  Flow(AnalysisContext &Context, const FunctionBody &Body, Result &Out)
      : Context(Context), Types(Context.get<LockTypes>()), Paths(Context),
        Body(Body), Cfg(Context.get<CoroutineCfgs>().of(Body)), Out(Out) {}

  void run();

private:
  using State = LockState;
  using States = std::set<LockState>;
  enum class Ownership { No, Yes, Maybe };

  static void change(States &In, llvm::function_ref<void(State &)> Change);
  static void eraseParts(std::map<std::string, const LockSite *> &Held,
                         const std::string &Whole);
  static std::string outcomeOf(const clang::Expr &E);
  static const clang::VarDecl *variableOf(const clang::Expr *E);
  static clang::QualType pointee(clang::QualType T);

  bool concerns() const;
  void round(bool Record);
  States entry();
  States through(const clang::CFGBlock &Block, States In, bool Record);
  void step(const clang::Stmt &S, States &In);
  void prune(State &At, const clang::Stmt &S) const;
  void declare(const clang::VarDecl &Var, States &In);
  void initialise(States &In, const std::string &Path, clang::QualType T,
                  const clang::Expr *Init, const clang::VarDecl *Guard);
  void initialiseMembers(States &In, const std::string &Path,
                         const clang::CXXRecordDecl &Class,
                         const clang::Expr &Init, const clang::VarDecl *Guard);
  Ownership ownershipOf(const clang::Expr &Made);
  void take(States &In, const std::string &Path, Ownership How,
            LockSite::Kind Kind, const clang::Expr &By,
            const clang::VarDecl *Guard, const clang::Expr *Asked = nullptr);
  void drop(States &In, const std::string &Path);
  void move(States &In, const std::string &From, const std::string &To);
  void rehouse(States &In, const std::string &Path,
               const clang::VarDecl *Owner);
  void call(const clang::Expr &E, States &In);
  void applyEffect(LockEffect Effect, const clang::Expr &E, States &In);
  void applyHelper(const clang::Expr &E, const clang::FunctionDecl &Callee,
                   States &In, unsigned Depth);
  bool applyHolder(const clang::CallExpr &E, States &In);
  llvm::SmallVector<std::string, 2> lockPaths(const clang::Expr &E) const;
  void temporary(const clang::Expr &E, States &In);
  void confine(const clang::VarDecl &Var, const clang::Expr &Init, States &In);
  void assigned(const clang::Expr *Target, const clang::Expr *Value,
                States &In);
  std::optional<bool> answer(const clang::Expr *Condition,
                             const State &At) const;
  /// Leaves out the states in which \p Condition is not \p Truth. One that is
  /// no loop's is remembered.
  void assume(const clang::Expr *Condition, bool Truth, States &In,
              bool Remember = true) const;
  void suspended(const clang::Stmt &S, const States &In);
  bool passedOn(const std::string &Path, const clang::Expr &Operand) const;
  const clang::Stmt *scopeOf(const clang::VarDecl *Var) const;
  std::string lockText(const clang::Expr &By) const;
  const LockSite *site(const void *Key, const std::string &Path, LockSite Made);

  AnalysisContext &Context;
  LockTypes &Types;
  ObjectPaths Paths;
  const FunctionBody &Body;
  const CoroutineCfg &Cfg;
  Result &Out;
  std::map<std::pair<const void *, std::string>, const LockSite *> Sites;
  /// By the guard's path: the mutex as written, and its path.
  std::map<std::string, std::string> LockNames, Locks;
  llvm::DenseMap<const clang::VarDecl *, const clang::Stmt *> Scopes;
  std::set<std::string> Asked, Repeated; ///< questions, those asked again
  std::map<const clang::CXXTryStmt *, States> AtHandlers;
  /// What is held wherever a `try` may throw, so far in this round.
  std::map<const clang::CXXTryStmt *, std::optional<State>> Throwing;
  std::set<std::pair<const clang::Stmt *, const LockSite *>> Seen;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_LOCKFLOW_H
