//===--- Readiness.cpp ----------------------------------------------------===//

#include "Readiness.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace async_tidy {

const ValueDecl *rootOf(const Expr *E) {
  while (E) {
    E = stripped(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
        return cast_or_null<ValueDecl>(Binding->getDecomposedDecl());
      return Ref->getDecl();
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
        return Member->getMemberDecl();
      E = Member->getBase();
    } else if (const auto *Index = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Index->getBase();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
    } else if (isa<CallExpr>(E)) {
      if (const Expr *Object = objectOf(*E)) {
        E = Object;
        continue;
      }
      // std::get<I>(t), std::exchange(f, {}) and the like give away a part.
      const auto *Call = cast<CallExpr>(E);
      const FunctionDecl *F = Call->getDirectCallee();
      if (!F || !F->isInStdNamespace() || Call->getNumArgs() == 0)
        return nullptr;
      E = Call->getArg(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// All numbers in \p V are zero or negative.
static bool isZeroValue(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return !V.getInt().isStrictlyPositive();
  case APValue::Float:
    return V.getFloat().isZero() || V.getFloat().isNegative();
  case APValue::Struct: {
    unsigned Parts = V.getStructNumBases() + V.getStructNumFields();
    for (unsigned I = 0; I < V.getStructNumBases(); ++I)
      if (!isZeroValue(V.getStructBase(I)))
        return false;
    for (unsigned I = 0; I < V.getStructNumFields(); ++I)
      if (!isZeroValue(V.getStructField(I)))
        return false;
    return Parts > 0;
  }
  default:
    return false;
  }
}

bool isZeroDuration(const Expr *E, ASTContext &Ctx) {
  // Zero by default means "no limit": nobody offers a wait that waits for
  // nothing unless asked to.
  if (!E || isa<CXXDefaultArgExpr>(E))
    return false;
  E = stripped(E);
  if (E->isValueDependent() || E->isTypeDependent())
    return false;
  Expr::EvalResult Result;
  if (E->EvaluateAsRValue(Result, Ctx) && !Result.HasSideEffects &&
      (Result.Val.isInt() || Result.Val.isFloat() || Result.Val.isStruct()))
    return isZeroValue(Result.Val);
  // Duration types whose constructors cannot be evaluated: look at the one
  // number in it.
  unsigned Numbers = 0, Zeros = 0;
  bool Other = false;
  walkWritten(E, [&](const Stmt &S) {
    if (const auto *Int = dyn_cast<IntegerLiteral>(&S)) {
      ++Numbers;
      Zeros += Int->getValue().isZero();
    } else if (isa<FloatingLiteral>(&S)) {
      ++Numbers;
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      Other |= isa<VarDecl, FieldDecl>(Ref->getDecl());
    } else if (isa<MemberExpr>(&S) &&
               !isa<CXXMethodDecl>(cast<MemberExpr>(S).getMemberDecl())) {
      Other = true;
    }
    return true;
  });
  return !Other && Numbers == 1 && Zeros == 1;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

namespace {
class Prover {
public:
  Prover(AnalysisContext &Context, const FunctionBody &Body,
         const ValueDecl &Future)
      : Roles(Context.roles()), Body(Body), Future(Future) {}

  bool reachedReady(const Stmt *Where);

private:
  bool mentions(const Stmt *S) const;
  bool isTest(const Expr &E) const;
  std::optional<bool> readyWhen(const Expr *Cond) const;
  bool impliesReady(const Expr *Cond, bool Truth) const;
  bool waitsBefore(const Stmt &Earlier) const;
  bool isFulfilled(const Stmt &Earlier) const;
  static bool leaves(const Stmt *S);

  const SymbolRoles &Roles;
  const FunctionBody &Body;
  const ValueDecl &Future;
};
} // namespace

bool Prover::mentions(const Stmt *S) const {
  bool Found = false;
  walkWritten(S, [&](const Stmt &Part) {
    if (const auto *E = dyn_cast<Expr>(&Part);
        E && isa<DeclRefExpr, MemberExpr>(E) && rootOf(E) == &Future)
      Found = true;
    return !Found;
  });
  return Found;
}

/// \p E asks the future whether its result is there, or waits a limited time
/// for it, which is a fault of its own unless that is zero.
bool Prover::isTest(const Expr &E) const {
  if (!isa<CallExpr>(E))
    return false;
  const Expr *Object = objectOf(E);
  if (!Object || rootOf(Object) != &Future)
    return false;
  if (Roles.find(&E, Role::ReadyTest))
    return true;
  for (Role R : {Role::Blocking, Role::SyncWait})
    if (const Entry *En = Roles.find(&E, R))
      for (const ArgPosition *Limit : {&En->Duration, &En->Deadline})
        if (const Expr *Arg = Roles.argument(E, *Limit);
            Arg && !isa<CXXDefaultArgExpr>(Arg))
          return true;
  return false;
}

/// The truth value of \p Cond, when it is one test, that means "ready".
std::optional<bool> Prover::readyWhen(const Expr *Cond) const {
  Cond = stripped(Cond);
  if (isTest(*Cond)) {
    // A timed wait gives a status, true or not.
    return true;
  }
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(Cond);
  const auto *Binary = dyn_cast<BinaryOperator>(Cond);
  const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(Cond);
  const Expr *L = nullptr, *R = nullptr;
  bool Equal = false;
  if (Rewritten) {
    L = Rewritten->getLHS();
    R = Rewritten->getRHS();
    Equal = Rewritten->getOperator() == BO_EQ;
  } else if (Binary && Binary->isEqualityOp()) {
    L = Binary->getLHS();
    R = Binary->getRHS();
    Equal = Binary->getOpcode() == BO_EQ;
  } else if (Call && Call->getNumArgs() == 2 &&
             (Call->getOperator() == OO_EqualEqual ||
              Call->getOperator() == OO_ExclaimEqual)) {
    L = Call->getArg(0);
    R = Call->getArg(1);
    Equal = Call->getOperator() == OO_EqualEqual;
  }
  if (!L)
    return std::nullopt;
  L = stripped(L);
  R = stripped(R);
  if (!isTest(*L))
    std::swap(L, R);
  const auto *Status = dyn_cast<DeclRefExpr>(R);
  if (!isTest(*L) || !Status)
    return std::nullopt;
  // future_status::ready, or one of those that mean "not yet".
  llvm::StringRef Name = Status->getDecl()->getDeclName().isIdentifier()
                             ? Status->getDecl()->getName()
                             : llvm::StringRef();
  bool Ready = Name.contains_insensitive("ready") ||
               Name.contains_insensitive("complete");
  return Equal == Ready;
}

/// When \p Cond came out as \p Truth, the future is ready.
bool Prover::impliesReady(const Expr *Cond, bool Truth) const {
  if (!Cond)
    return false;
  Cond = stripped(Cond);
  if (const auto *Not = dyn_cast<UnaryOperator>(Cond);
      Not && Not->getOpcode() == UO_LNot)
    return impliesReady(Not->getSubExpr(), !Truth);
  if (const auto *Logical = dyn_cast<BinaryOperator>(Cond);
      Logical && Logical->isLogicalOp()) {
    bool L = impliesReady(Logical->getLHS(), Truth);
    bool R = impliesReady(Logical->getRHS(), Truth);
    bool BothHold = (Logical->getOpcode() == BO_LAnd) == Truth;
    return BothHold ? L || R : L && R;
  }
  return readyWhen(Cond) == Truth;
}

/// Control never goes past the end of \p S.
bool Prover::leaves(const Stmt *S) {
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
    return !Block->body_empty() && leaves(Block->body_back());
  if (const auto *If = dyn_cast_or_null<IfStmt>(S))
    return If->getElse() && leaves(If->getThen()) && leaves(If->getElse());
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    return isa<CXXThrowExpr>(stripped(E));
  return S &&
         isa<ReturnStmt, CoreturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S);
}

/// \p Earlier gives the promise that the future was got from its result.
bool Prover::isFulfilled(const Stmt &Earlier) const {
  const auto *E = dyn_cast<Expr>(&Earlier);
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(E ? stripped(E) : E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || rootOf(objectOf(*Call)) != &Future)
    return false;
  llvm::StringRef Name = Method->getName();
  return Name == "set_value" || Name == "setValue" || Name == "set_exception" ||
         Name == "setException";
}

/// After \p Earlier the future is ready: it waits for it, whatever it does.
bool Prover::waitsBefore(const Stmt &Earlier) const {
  if (const auto *If = dyn_cast<IfStmt>(&Earlier))
    return (impliesReady(If->getCond(), false) && leaves(If->getThen())) ||
           (impliesReady(If->getCond(), true) && leaves(If->getElse())) ||
           waitsBefore(*If->getCond()) ||
           // Only what is not ready is waited for.
           (impliesReady(If->getCond(), false) && waitsBefore(*If->getThen()));
  if (const auto *While = dyn_cast<WhileStmt>(&Earlier))
    return impliesReady(While->getCond(), false);
  if (const auto *Do = dyn_cast<DoStmt>(&Earlier))
    return impliesReady(Do->getCond(), false) || waitsBefore(*Do->getBody());
  if (isa<CXXTryStmt>(Earlier))
    return waitsBefore(*cast<CXXTryStmt>(Earlier).getTryBlock());
  if (const auto *Block = dyn_cast<CompoundStmt>(&Earlier))
    return llvm::any_of(Block->body(),
                        [&](const Stmt *S) { return waitsBefore(*S); });
  if (!isa<Expr, DeclStmt, CoreturnStmt, ReturnStmt>(Earlier))
    return false;
  if (isFulfilled(Earlier))
    return true;
  return llvm::any_of(suspensionsIn(&Earlier), [&](const Expr *Suspension) {
    return mentions(suspensionOperand(*Suspension));
  });
}

bool Prover::reachedReady(const Stmt *Where) {
  for (const Stmt *S = Where, *P = Body.parent(S); P;
       S = P, P = Body.parent(P)) {
    if (const auto *Block = dyn_cast<CompoundStmt>(P)) {
      for (const Stmt *Earlier : Block->body()) {
        if (Earlier == S)
          break;
        if (waitsBefore(*Earlier))
          return true;
      }
    } else if (const auto *If = dyn_cast<IfStmt>(P)) {
      if ((S == If->getThen() && impliesReady(If->getCond(), true)) ||
          (S == If->getElse() && impliesReady(If->getCond(), false)))
        return true;
    } else if (const auto *While = dyn_cast<WhileStmt>(P)) {
      if (S == While->getBody() && impliesReady(While->getCond(), true))
        return true;
    } else if (const auto *Choice = dyn_cast<ConditionalOperator>(P)) {
      if ((S == Choice->getTrueExpr() &&
           impliesReady(Choice->getCond(), true)) ||
          (S == Choice->getFalseExpr() &&
           impliesReady(Choice->getCond(), false)))
        return true;
    } else if (const auto *Logical = dyn_cast<BinaryOperator>(P)) {
      if (Logical->isLogicalOp() && S == Logical->getRHS() &&
          impliesReady(Logical->getLHS(), Logical->getOpcode() == BO_LAnd))
        return true;
    }
  }
  return false;
}

/// What is got out of \p E waits for futures: they are ready afterwards.
static bool yieldsReady(const SymbolRoles &Roles, const Expr *E) {
  E = stripped(E);
  if (!E)
    return false;
  if (Roles.find(E, Role::Immediate))
    return true;
  const Expr *Operand = suspensionOperand(*E);
  if (!Operand)
    return false;
  bool Found = false;
  walkWritten(Operand, [&](const Stmt &S) {
    if (const auto *Part = dyn_cast<Expr>(&S))
      Found |= Roles.find(Part, Role::Gather) ||
               Roles.find(Part, Role::ToValue) || Roles.find(Part, Role::Race);
    return !Found && !isa<LambdaExpr>(S);
  });
  return Found;
}

/// The initialiser of \p D, of a range-for's variable the range.
static const Expr *originOf(const FunctionBody &Body, const ValueDecl &D) {
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (!Var)
    return nullptr;
  if (Var->isCXXForRangeDecl())
    for (const Stmt *S : Body.statements())
      if (const auto *For = dyn_cast<CXXForRangeStmt>(S);
          For && For->getLoopVariable() == Var)
        return For->getRangeInit();
  return Var->getInit();
}

bool isProvenReady(AnalysisContext &Context, const FunctionBody &Body,
                   const Expr *Future, const Stmt *Where) {
  const SymbolRoles &Roles = Context.roles();
  if (!Future)
    return false;
  // (co_await when_all(…))[0].get() and make_ready_future(…).get()
  bool Inside = false;
  walkWritten(stripped(Future), [&](const Stmt &S) {
    if (const auto *E = dyn_cast<Expr>(&S))
      Inside |= yieldsReady(Roles, E);
    return !Inside && !isa<LambdaExpr>(S);
  });
  if (Inside)
    return true;
  const ValueDecl *Root = rootOf(Future);
  for (unsigned Depth = 0; Root && Depth < 3; ++Depth) {
    if (Prover(Context, Body, *Root).reachedReady(Where))
      return true;
    const Expr *Origin = originOf(Body, *Root);
    if (!Origin)
      return false;
    if (yieldsReady(Roles, Origin))
      return true;
    Root = rootOf(Origin);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Non-blocking mode
//===----------------------------------------------------------------------===//

static bool isFlag(const SymbolRoles &Roles, const Stmt &S) {
  if (const auto *E = dyn_cast<Expr>(&S);
      E && Roles.find(E, Role::NonBlockingFlag))
    return true;
  SourceLocation Loc = S.getBeginLoc();
  if (!Loc.isMacroID() || !isa<IntegerLiteral, DeclRefExpr, ParenExpr>(S))
    return false;
  ASTContext &Ctx = Roles.context();
  return Roles.models().find(
      Lexer::getImmediateMacroName(Loc, Ctx.getSourceManager(),
                                   Ctx.getLangOpts()),
      Role::NonBlockingFlag);
}

bool saysNonBlocking(const SymbolRoles &Roles, const Stmt &S) {
  bool Found = false;
  walkWritten(&S, [&](const Stmt &Part) {
    Found = Found || isFlag(Roles, Part);
    return !Found;
  });
  return Found;
}

bool usedNonBlocking(const SymbolRoles &Roles, const FunctionBody &Body,
                     const ValueDecl *Object) {
  auto WorksOn = [&](const Expr &Call) {
    const Expr *On = objectOf(Call);
    auto Args = argumentsOf(Call);
    if (!On && !Args.empty())
      On = Args[0];
    return On && Object && rootOf(On) == Object;
  };
  for (const Stmt *S : Body.statements()) {
    if (!isFlag(Roles, *S))
      continue;
    // As an argument it counts for what that call works on; else it is a test.
    const Expr *Call = nullptr;
    const VarDecl *Made = nullptr;
    for (const Stmt *P = S; P && !isa<CompoundStmt>(P); P = Body.parent(P)) {
      const auto *Outer = dyn_cast<CallExpr>(P);
      if (!Call && Outer && !isa<CXXOperatorCallExpr>(Outer) &&
          !Outer->getType()->isBooleanType())
        Call = Outer;
      if (const auto *Decls = dyn_cast<DeclStmt>(P);
          Decls && Decls->isSingleDecl())
        Made = dyn_cast<VarDecl>(Decls->getSingleDecl());
    }
    if (!Call || WorksOn(*Call) || (Made && Made == Object))
      return true;
  }
  return false;
}

} // namespace async_tidy
