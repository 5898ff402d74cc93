//===--- UncancellableLoopCheck.cpp ---------------------------------------===//

#include "UncancellableLoopCheck.h"
#include "CancellationFaults.h"
#include "analysis/Suspension.h"

using namespace async_tidy;

namespace clang::tidy::async {

static bool isEndless(const Stmt &Loop, const ASTContext &Ctx) {
  const Expr *Condition = loopCondition(Loop);
  bool Value = false;
  return !Condition ||
         (!Condition->isValueDependent() &&
          Condition->EvaluateAsBooleanCondition(Value, Ctx) && Value);
}

/// `for (;;) {}`: says that it is never reached.
static bool isEmpty(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const Stmt *Body = For ? For->getBody() : While ? While->getBody() : nullptr;
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
  return (Block && Block->body_empty()) || isa_and_nonnull<NullStmt>(Body);
}

/// Nothing but plain variables decides whether \p Loop goes on.
static bool asksVariables(const Stmt &Loop) {
  const Expr *Condition = loopCondition(Loop);
  bool Variables = false, Other = false;
  walkWritten(Condition, [&](const Stmt &S) {
    Other |= isa<CallExpr, CXXConstructExpr, LambdaExpr>(S) || isSuspension(S);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      Variables |= isa<VarDecl>(Ref->getDecl());
    Variables |= isa<MemberExpr>(S);
    return true;
  });
  return Variables && !Other;
}

bool UncancellableLoopCheck::passesThrough(const FunctionBody &Body,
                                           const Expr &Await, unsigned Depth) {
  if (!isa<CoawaitExpr>(Await))
    return false;
  const Expr *Operand = stripped(suspensionOperand(Await));
  if (!Operand)
    return false;
  // A call may look at more than a constant does (`yield()`).
  if (isa<DeclRefExpr>(Operand) && roles().find(Operand, Role::Immediate))
    return true;
  if (isAlwaysReady(
          Operand->getType().getNonReferenceType()->getAsCXXRecordDecl(),
          analyses().ast()))
    return true;
  // A coroutine of this file that never suspends; where cancellation sticks,
  // the await itself looks for it.
  const auto *Call = dyn_cast<CallExpr>(Operand);
  const FunctionBody *Callee =
      Call && Depth < 2 ? coroutines().body(Call->getDirectCallee()) : nullptr;
  const Library *Lib = coroutines().library(Body.function());
  return Callee && Callee->isCoroutine() && Lib && !Lib->Sticky &&
         llvm::all_of(Callee->suspensions(), [&](const Expr *Inner) {
           return passesThrough(*Callee, *Inner, Depth + 1);
         });
}

bool UncancellableLoopCheck::hasExit(const FunctionBody &Body,
                                     const Stmt &Loop) {
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    if (!Body.contains(&Loop, S))
      return false;
    if (isa<ReturnStmt, CoreturnStmt, GotoStmt, CXXThrowExpr, GCCAsmStmt,
            CXXTryStmt>(S))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(*Call));
      if (Callee && Callee->isNoReturn())
        return true;
      // A helper of this file that throws.
      if (const FunctionBody *Helper = coroutines().body(Callee))
        return llvm::any_of(Helper->statements(), [](const Stmt *Inner) {
          return isa<CXXThrowExpr>(Inner);
        });
    }
    if (!isa<BreakStmt>(S))
      return false;
    const Stmt *P = Body.parent(S);
    while (P &&
           !isa<WhileStmt, DoStmt, ForStmt, CXXForRangeStmt, SwitchStmt>(P))
      P = Body.parent(P);
    return P == &Loop;
  });
}

bool UncancellableLoopCheck::asksToStop(const FunctionBody &Body,
                                        const Stmt &Loop) {
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E || !Body.contains(&Loop, S))
      return false;
    for (Role R : {Role::CancellationTest, Role::CancellationCheck,
                   Role::Blocking, Role::SyncWait})
      if (roles().find(E, R))
        return true;
    return roles().findType(E->getType(), Role::Token) ||
           roles().findType(E->getType(), Role::Source);
  });
}

/// \p S changes nothing that a condition could ask for.
static bool isIdle(const Stmt &S) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
    return !Unary->isIncrementDecrementOp();
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S))
    return !Binary->isAssignmentOp();
  if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getCalleeDecl());
    return Method && Method->isConst() && !Method->getParent()->isLambda();
  }
  // A guard may let others change what the loop asks for.
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S))
    return Made->getConstructor()->isTrivial();
  return !isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, GCCAsmStmt>(S);
}

/// A variable that other threads are meant to change.
static bool isShared(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  return T.isVolatileQualified() ||
         (RD && RD->getName().contains_insensitive("atomic"));
}

const Stmt *UncancellableLoopCheck::spinsAt(const FunctionBody &Body,
                                            const Stmt &Loop) {
  const CoroutineCfg &Cfg = analyses().get<CoroutineCfgs>().of(Body);
  if (!Cfg.valid())
    return nullptr;
  // The loop's head: the block that its body leads back to.
  const CFGBlock *Back = nullptr;
  for (const CFGBlock *B : Cfg.graph())
    if (B && B->getLoopTarget() == &Loop)
      Back = B;
  if (!Back)
    return nullptr;
  const CFGBlock *Head =
      Back->succ_empty() ? nullptr : Back->succ_begin()->getReachableBlock();
  if (!Head)
    return nullptr;
  struct Step {
    const CFGBlock *Block;
    const Stmt *Branch;
  };
  llvm::SmallVector<Step, 8> Pending = {{Head, nullptr}};
  llvm::DenseSet<const CFGBlock *> Seen;
  while (!Pending.empty()) {
    Step At = Pending.pop_back_val();
    if (!Seen.insert(At.Block).second)
      continue;
    bool Idle = true;
    for (const CFGElement &Element : *At.Block) {
      auto Stmt_ = Element.getAs<CFGStmt>();
      const Stmt *S = Stmt_ ? Stmt_->getStmt() : nullptr;
      if (!S || !Body.isWritten(S))
        continue;
      if (!Body.contains(&Loop, S) ||
          (isSuspension(*S) && !passesThrough(Body, *cast<Expr>(S))) ||
          !isIdle(*S))
        Idle = false;
      if (const auto *Ref = dyn_cast<Expr>(S))
        Idle &= !isShared(Ref->getType());
    }
    if (!Idle)
      continue;
    if (At.Block == Back)
      return At.Branch ? At.Branch : &Loop;
    const Stmt *Terminator = At.Block->getTerminatorStmt();
    bool IsLoopItself = Terminator == &Loop;
    bool Branches = At.Block->succ_size() > 1 && !IsLoopItself;
    // Two conditions on one way may exclude each other.
    if (Branches && (At.Branch || !isa_and_nonnull<IfStmt>(Terminator)))
      continue;
    unsigned Index = 0;
    for (const CFGBlock *Next : At.Block->succs()) {
      bool Leaves = IsLoopItself && Index == 1;
      ++Index;
      if (Next && !Leaves)
        Pending.push_back({Next, Branches ? Terminator : At.Branch});
    }
  }
  return nullptr;
}

bool UncancellableLoopCheck::looksAtNoError(const FunctionBody &Body,
                                            const Stmt &Loop) {
  auto &Arrivals = analyses().get<CancellationArrivals>();
  // Some other part of the result may say how it went.
  if (llvm::any_of(Body.statements(), [&](const Stmt *S) {
        return isa<IfStmt, SwitchStmt, ConditionalOperator>(S) &&
               Body.contains(&Loop, S);
      }))
    return false;
  bool Any = false;
  for (const Expr *Await : Body.suspensions()) {
    if (!Body.contains(&Loop, Await) || passesThrough(Body, *Await))
      continue;
    auto Value = Arrivals.valueResult(*Await);
    if (!Value.Model || Value.Escapes || !Arrivals.cancellable(*Await))
      return false;
    bool Waiting =
        findWritten(suspensionOperand(*Await), roles(),
                    {Role::Gather, Role::TimerWait, Role::Sleep,
                     Role::BestEffort, Role::Shield, Role::TimeoutToken});
    const Library *Lib = coroutines().library(Body.function());
    if (Waiting || !Lib)
      return false;
    FlowResult Flow = analyses().get<CancellationFlow>().fromValue(
        Body, *Await, Value, Arrivals.thrownBy(*Lib));
    if (!Flow.Complete || Flow.Asked || Flow.Outcomes.empty() ||
        llvm::any_of(Flow.Outcomes, [](const PathOutcome &O) {
          return O.Tested || O.End != PathEnd::Retries;
        }))
      return false;
    Any = true;
  }
  if (!Any)
    return false;
  // One fault, one finding.
  return llvm::none_of(analyses().get<CancellationFaults>().of(Body),
                       [&](const CancellationFinding &F) {
                         return F.Source && Body.contains(&Loop, F.Source);
                       });
}

void UncancellableLoopCheck::checkFunction(const FunctionBody &Body) {
  for (const Stmt *S : Body.statements()) {
    if (!isa<WhileStmt, DoStmt, ForStmt>(S) || S->getBeginLoc().isMacroID() ||
        isEmpty(*S))
      continue;
    bool Endless = isEndless(*S, analyses().ast());
    if ((!Endless && !asksVariables(*S)) || asksToStop(Body, *S))
      continue;
    bool Suspends = llvm::any_of(Body.suspensions(), [&](const Expr *Await) {
      return Body.contains(S, Await) && !passesThrough(Body, *Await);
    });
    bool Exit = hasExit(Body, *S);
    if (Endless && !Suspends && !Exit) {
      if (firstReportAt(S->getBeginLoc()))
        diag(S->getBeginLoc(), "nothing can stop this loop: it has no exit, "
                               "never suspends and asks for no cancellation");
    } else if (const Stmt *Where =
                   Suspends || !Endless ? spinsAt(Body, *S) : nullptr) {
      if (!firstReportAt(Where->getBeginLoc()))
        continue;
      if (Where == S) {
        diag(S->getBeginLoc(),
             "this loop spins: nothing in it changes its condition, it never "
             "suspends, and no cancellation arrives");
        continue;
      }
      diag(Where->getBeginLoc(),
           "this loop spins: on one side of this branch it goes round without "
           "suspending, and no cancellation arrives");
      diag(S->getBeginLoc(), "the loop is here", DiagnosticIDs::Note);
    } else if (Endless && Suspends && !Exit && looksAtNoError(Body, *S) &&
               firstReportAt(S->getBeginLoc())) {
      diag(S->getBeginLoc(), "nothing can stop this loop: it looks at no error "
                             "of what it awaits, so it spins once that is "
                             "cancelled or closed");
    }
  }
}

} // namespace clang::tidy::async
