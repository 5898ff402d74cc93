//===--- HeldLocks.cpp ----------------------------------------------------===//

#include "LockFlow.h"
#include "clang/Basic/SourceManager.h"
#include <deque>

using namespace clang;

namespace async_tidy {

/// Beyond so many ways to a place what the conditions said is forgotten.
static constexpr size_t MaxStates = 48;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::optional<bool> HeldLocks::Flow::answer(const Expr *Condition,
                                            const State &At) const {
  if (!Condition)
    return std::nullopt;
  const Expr *E = stripped(Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E);
      Not && Not->getOpcode() == UO_LNot) {
    std::optional<bool> Inner = answer(Not->getSubExpr(), At);
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(E))
    return Literal->getValue();
  auto Fact = [&](const std::string &Question) -> std::optional<bool> {
    auto Known = At.Facts.find(Question);
    return Known == At.Facts.end() ? std::nullopt
                                   : std::optional(Known->second);
  };
  if (const auto *Compare = dyn_cast<BinaryOperator>(E);
      Compare && Compare->isEqualityOp()) {
    Expr::EvalResult Constant;
    const Expr *Left = stripped(Compare->getLHS());
    const Expr *Right = Compare->getRHS();
    if (isa<CallExpr, DeclRefExpr>(Left) && !Right->isValueDependent() &&
        Right->getType()->isIntegralOrEnumerationType() &&
        Right->EvaluateAsInt(Constant, Context.ast()))
      if (std::optional<bool> True = answer(Left, At)) {
        // Of several values that are not 0 only -1 is a known success.
        bool Zero = Constant.Val.getInt().isZero();
        if (!Zero && *True && !Constant.Val.getInt().isAllOnes() &&
            !Left->getType()->isBooleanType())
          return std::nullopt;
        return (*True != Zero) == (Compare->getOpcode() == BO_EQ);
      }
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (std::optional<bool> Got = Fact(outcomeOf(*Call)))
      return *Got != Types.trueMeansFailure(*Call);
    // `l.owns_lock()`, `if (l)`
    const Expr *Object = objectOf(*Call);
    const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(*Call));
    if (Object && Callee && Types.carriesGuard(pointee(Object->getType()))) {
      llvm::StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
      bool Negative = Name == "isNull" || Name == "empty";
      if (isa<CXXConversionDecl>(Callee) || Negative || Name == "owns_lock" ||
          Name == "has_value" || Name == "owns" || Name == "is_locked" ||
          Name == "isLocked" || Name == "IsHeld") {
        std::string Path = Paths.of(Object);
        if (!Path.empty())
          return llvm::any_of(At.Held, [&](const auto &Pair) {
                   return ObjectPaths::isPart(Pair.first, Path);
                 }) != Negative;
      }
    }
  }
  std::string Question = Paths.question(E);
  return Question.empty() ? std::nullopt : Fact(Question);
}

void HeldLocks::Flow::assume(const Expr *Condition, bool Truth, States &In,
                             bool Remember) const {
  if (!Condition)
    return;
  std::erase_if(In, [&](const State &At) {
    std::optional<bool> Known = answer(Condition, At);
    return Known && *Known != Truth;
  });
  const Expr *E = stripped(Condition);
  while (const auto *Not = dyn_cast<UnaryOperator>(E)) {
    if (Not->getOpcode() != UO_LNot)
      break;
    E = stripped(Not->getSubExpr());
    Truth = !Truth;
  }
  std::string Question = Paths.question(E);
  if (Remember && !Question.empty() && Repeated.contains(Question))
    change(In, [&](State &At) { At.Facts[Question] = Truth; });
}

//===----------------------------------------------------------------------===//
// Suspensions
//===----------------------------------------------------------------------===//

/// The awaited call gets the guard at \p Path by reference and may open it:
/// what it does with it is judged there.
bool HeldLocks::Flow::passedOn(const std::string &Path,
                               const Expr &Operand) const {
  bool Passed = false;
  walkWritten(&Operand, [&](const Stmt &S) {
    const auto *Call = dyn_cast<Expr>(&S);
    if (!Call || !isa<CallExpr, CXXConstructExpr>(*Call))
      return true;
    for (const Expr *Arg : argumentsOf(*Call)) {
      bool Changes = Arg->isLValue() ? !Arg->getType().isConstQualified()
                                     : Arg->getType()->isPointerType();
      std::string Other = Changes ? Paths.of(Arg) : "";
      Passed |= !Other.empty() && ObjectPaths::isPart(Path, Other);
    }
    return !Passed;
  });
  return Passed;
}

void HeldLocks::Flow::suspended(const Stmt &S, const States &In) {
  const Expr *Operand = suspensionOperand(S);
  const auto *Return = dyn_cast<CoreturnStmt>(&S);
  for (const State &At : In)
    for (const auto &[Path, Site] : At.Held) {
      if (Return && Site->How != LockSite::Manual &&
          Site->How != LockSite::Received)
        continue;
      if (llvm::any_of(At.Open,
                       [&](const auto &Pair) {
                         return ObjectPaths::isPart(Path, Pair.first);
                       }) ||
          (Return && At.Confined.contains(Path)) ||
          (Operand && passedOn(Path, *Operand)) ||
          !Seen.insert({&S, Site}).second)
        continue;
      (Return ? Out.Returns : Out.Suspensions).push_back({&S, Site});
    }
}

//===----------------------------------------------------------------------===//
// The flow
//===----------------------------------------------------------------------===//

void HeldLocks::Flow::step(const Stmt &S, States &In) {
  if (const auto *Declared = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *D : Declared->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        declare(*Var, In);
    return;
  }
  if (!Body.isWritten(&S))
    return;
  change(In, [&](State &At) { prune(At, S); });
  if (isa<CallExpr, CXXConstructExpr>(S))
    call(cast<Expr>(S), In);
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
      Binary && Binary->isAssignmentOp())
    assigned(Binary->getLHS(),
             Binary->isCompoundAssignmentOp() ? nullptr : Binary->getRHS(), In);
  if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
      Unary &&
      (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf))
    assigned(Unary->getSubExpr(), nullptr, In);
  // A closure that no variable keeps takes its captures along.
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&S);
      Lambda &&
      !isa_and_nonnull<DeclStmt>(Body.parent(Body.fullExpression(&S))))
    for (const Expr *Capture : Lambda->capture_inits())
      if (Capture && Types.carriesGuard(Capture->getType()) &&
          !Capture->isLValue())
        if (std::string Path = Paths.of(Capture); !Path.empty())
          drop(In, Path);
  if (const auto *E = dyn_cast<Expr>(&S);
      E && isa<CallExpr, CXXConstructExpr>(E) && E->isPRValue() &&
      stripped(E) == E &&
      (Types.isGuard(E->getType()) ||
       (isa<CallExpr>(E) && Types.carriesGuard(E->getType()))))
    temporary(*E, In);
}

HeldLocks::Flow::States HeldLocks::Flow::through(const CFGBlock &Block,
                                                 States In, bool Record) {
  for (const CFGElement &Element : Block) {
    auto Evaluated = Element.getAs<CFGStmt>();
    if (!Evaluated)
      continue;
    const Stmt *S = Evaluated->getStmt();
    // What each enclosing `try` may be left with.
    if (isa<CallExpr, CXXConstructExpr, CXXThrowExpr, CXXNewExpr>(S) ||
        isSuspension(*S))
      for (const auto *Try = Body.enclosing<CXXTryStmt>(S); Try;
           Try = Body.enclosing<CXXTryStmt>(Try)) {
        if (!Body.contains(Try->getTryBlock(), S))
          continue;
        std::optional<State> &Common = Throwing[Try];
        for (const State &At : In) {
          if (!Common) {
            Common = At;
            Common->Facts.clear();
            continue;
          }
          std::erase_if(Common->Held, [&](const auto &Pair) {
            auto Other = At.Held.find(Pair.first);
            return Other == At.Held.end() || Other->second != Pair.second;
          });
        }
      }
    if (Record && Body.isWritten(S) &&
        (isSuspension(*S) || isa<CoreturnStmt>(S))) {
      change(In, [&](State &At) { prune(At, *S); });
      suspended(*S, In);
    }
    if (const Expr *Ended = Cfg.endedBy(S); Ended && Record)
      suspended(*Ended, In);
    step(*S, In);
  }
  // A turn of a loop has ended, and what was declared in it.
  if (const Stmt *Loop = Block.getLoopTarget())
    change(In, [&](State &At) {
      auto Inside = [&](const Stmt *Scope) {
        return Scope && Scope != Loop && Body.contains(Loop, Scope);
      };
      for (const auto &[Path, Scope] : At.Confined)
        if (Inside(Scope))
          eraseParts(At.Held, Path);
      std::erase_if(At.Confined,
                    [&](const auto &P) { return Inside(P.second); });
      std::erase_if(At.Open, [&](const auto &P) { return Inside(P.second); });
      std::erase_if(At.Held,
                    [&](const auto &P) { return Inside(P.second->Scope); });
    });
  return In;
}

HeldLocks::Flow::States HeldLocks::Flow::entry() {
  State At;
  auto Receive = [&](const VarDecl &Var, const std::string &Path) {
    LockSite Made;
    Made.How = LockSite::Received;
    Made.Taken = Var.getLocation();
    Made.Guard = &Var;
    At.Held[Path] = site(&Var, Path, std::move(Made));
  };
  for (const ParmVarDecl *P : Body.function().parameters()) {
    QualType T = P->getType();
    // Who takes a guard to look at it only proves that its caller has it.
    if (T->isReferenceType() && T->getPointeeType().isConstQualified())
      continue;
    if (Types.isGuard(T) || (!T->isReferenceType() && Types.isHolder(T))) {
      Receive(*P, ObjectPaths::of(*P));
    } else if (!T->isReferenceType() && Types.carriesGuard(T)) {
      if (const CXXRecordDecl *Class = T->getAsCXXRecordDecl())
        for (const FieldDecl *Field : Class->fields())
          if (Types.isGuard(Field->getType()))
            Receive(*P, ObjectPaths::member(ObjectPaths::of(*P), *Field));
    }
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(&Body.function());
  if (Method && Method->getParent()->isLambda())
    for (const LambdaCapture &Capture : Method->getParent()->captures()) {
      const auto *Var = Capture.capturesVariable()
                            ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                            : nullptr;
      if (Var && Var->isInitCapture() && !Var->getType()->isReferenceType() &&
          Types.isGuard(Var->getType()))
        Receive(*Var, ObjectPaths::of(*Var));
    }
  return {At};
}

void HeldLocks::Flow::round(bool Record) {
  Throwing.clear();
  std::map<const CFGBlock *, States> At;
  std::deque<const CFGBlock *> Work;
  auto Enter = [&](const CFGBlock *Block, const States &In) {
    if (!Block)
      return;
    States &Known = At[Block];
    size_t Before = Known.size();
    bool Grew = false;
    for (State S : In) {
      if (Before > MaxStates)
        S.Facts.clear();
      Grew |= Known.insert(std::move(S)).second;
    }
    if (Grew || (Before == 0 && Known.size() == Before && In.empty()))
      if (!llvm::is_contained(Work, Block))
        Work.push_back(Block);
  };
  Enter(&Cfg.graph().getEntry(), entry());
  for (const auto &[Try, States] : AtHandlers)
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
      Enter(Cfg.handlerBlock(Try->getHandler(I)), States);
  while (!Work.empty()) {
    const CFGBlock *Block = Work.front();
    Work.pop_front();
    States After = through(*Block, At[Block], false);
    if (After.size() > 2 * MaxStates)
      change(After, [](State &S) { S.Facts.clear(); });
    const Expr *Condition = nullptr;
    if (Block->succ_size() == 2 && Block->getTerminatorStmt() &&
        !isa<CXXTryStmt, SwitchStmt, CXXForRangeStmt>(
            Block->getTerminatorStmt()))
      Condition = dyn_cast_or_null<Expr>(Block->getTerminatorCondition(true));
    unsigned At = 0;
    for (const CFGBlock *Next : Block->succs()) {
      States Way = After;
      if (Condition)
        assume(Condition, At == 0, Way,
               !isa<WhileStmt, ForStmt, DoStmt>(Block->getTerminatorStmt()));
      ++At;
      if (!Way.empty())
        Enter(Next, Way);
    }
  }
  if (!Record)
    return;
  for (const CFGBlock *Block : Cfg.graph())
    if (auto Known = At.find(Block); Known != At.end())
      through(*Block, Known->second, true);
}

/// There is anything in this body that could hold a lock.
bool HeldLocks::Flow::concerns() const {
  for (const ParmVarDecl *P : Body.function().parameters())
    if (Types.carriesGuard(P->getType().getNonReferenceType()))
      return true;
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    return E && (Types.carriesGuard(E->getType()) ||
                 Types.effect(*E) != LockEffect::None ||
                 (isa<CallExpr>(E) && calleeOf(*E) &&
                  Context.get<Coroutines>().body(
                      dyn_cast<FunctionDecl>(calleeOf(*E)))));
  });
}

void HeldLocks::Flow::run() {
  if (!Cfg.valid() || Body.suspensions().empty() || !concerns())
    return;
  auto Ask = [&](const Expr *Condition) {
    walkWritten(Condition, [&](const Stmt &S) {
      if (const auto *E = dyn_cast<Expr>(&S))
        if (std::string Q = Paths.question(E);
            !Q.empty() && !Asked.insert(Q).second)
          Repeated.insert(Q);
      return true;
    });
  };
  for (const Stmt *S : Body.statements()) {
    if (const auto *If = dyn_cast<IfStmt>(S))
      Ask(If->getCond());
    if (const auto *Choice = dyn_cast<ConditionalOperator>(S))
      Ask(Choice->getCond());
    const auto *Declared = dyn_cast<DeclStmt>(S);
    if (!Declared)
      continue;
    for (const Decl *D : Declared->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D)) {
        const Stmt *Scope = Body.parent(S);
        while (isa_and_nonnull<SwitchCase, LabelStmt, AttributedStmt>(Scope))
          Scope = Body.parent(Scope);
        Scopes[Var] = Scope;
      }
  }
  // What handlers start with depends on what is held where they may be reached
  // from, which other handlers may decide.
  for (unsigned I = 0; I < 4; ++I) {
    round(false);
    std::map<const CXXTryStmt *, States> Next;
    for (const auto &[Try, Common] : Throwing)
      if (Common)
        Next[Try] = {*Common};
    if (Next == AtHandlers)
      break;
    AtHandlers = std::move(Next);
  }
  round(true);
  const SourceManager &SM = Context.ast().getSourceManager();
  for (auto *List : {&Out.Suspensions, &Out.Returns})
    llvm::sort(*List, [&](const HeldLock &A, const HeldLock &B) {
      if (A.Where != B.Where)
        return SM.isBeforeInTranslationUnit(A.Where->getBeginLoc(),
                                            B.Where->getBeginLoc());
      return SM.isBeforeInTranslationUnit(A.Site->Taken, B.Site->Taken);
    });
}

const HeldLocks::Result &HeldLocks::of(const FunctionBody &Body) {
  std::unique_ptr<Result> &Slot = Known[&Body];
  if (!Slot) {
    Slot = std::make_unique<Result>();
    Flow(Context, Body, *Slot).run();
  }
  return *Slot;
}

llvm::ArrayRef<HeldLock> HeldLocks::atSuspensions(const FunctionBody &Body) {
  return of(Body).Suspensions;
}

llvm::ArrayRef<HeldLock> HeldLocks::atReturns(const FunctionBody &Body) {
  return of(Body).Returns;
}

} // namespace async_tidy
