//===--- Coroutines.cpp ---------------------------------------------------===//

#include "Coroutines.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

llvm::SmallVector<const Stmt *, 4> writtenChildren(const Stmt &S) {
  llvm::SmallVector<const Stmt *, 4> Children;
  auto Add = [&](const Stmt *Child) {
    if (Child)
      Children.push_back(Child);
  };
  if (isa<CoroutineSuspendExpr>(S)) {
    Add(suspensionOperand(S));
  } else if (const auto *Lambda = dyn_cast<LambdaExpr>(&S)) {
    for (const Expr *Init : Lambda->capture_inits())
      Add(Init);
  } else if (const auto *Return = dyn_cast<CoreturnStmt>(&S)) {
    Add(Return->getOperand());
  } else if (const auto *Coroutine = dyn_cast<CoroutineBodyStmt>(&S)) {
    Add(Coroutine->getBody());
  } else if (const auto *For = dyn_cast<CXXForRangeStmt>(&S)) {
    Add(For->getInit());
    Add(For->getRangeInit());
    Add(For->getLoopVarStmt());
    Add(For->getBody());
  } else if (const auto *List = dyn_cast<InitListExpr>(&S);
             List && List->isSemanticForm()) {
    for (const Expr *Init : List->inits())
      Add(Init);
  } else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&S)) {
    Add(Default->getExpr());
  } else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(&S)) {
    Add(Opaque->getSourceExpr());
  } else {
    for (const Stmt *Child : S.children())
      Add(Child);
  }
  return Children;
}

void walkWritten(const Stmt *S, llvm::function_ref<bool(const Stmt &)> Visit) {
  if (!S || !Visit(*S))
    return;
  for (const Stmt *Child : writtenChildren(*S))
    walkWritten(Child, Visit);
}

bool isSuspension(const Stmt &S) {
  if (const auto *Await = dyn_cast<CoawaitExpr>(&S))
    return !Await->isImplicit();
  return isa<CoyieldExpr, DependentCoawaitExpr>(S);
}

const Expr *suspensionOperand(const Stmt &S) {
  // Of `co_yield x` clang keeps `promise.yield_value(x)`.
  if (const auto *Yield = dyn_cast<CoyieldExpr>(&S)) {
    const auto *Call =
        dyn_cast_or_null<CallExpr>(stripped(Yield->getOperand()));
    return Call && Call->getNumArgs() == 1 ? Call->getArg(0)
                                           : Yield->getOperand();
  }
  if (const auto *Suspend = dyn_cast<CoroutineSuspendExpr>(&S))
    return Suspend->getOperand();
  if (const auto *Dependent = dyn_cast<DependentCoawaitExpr>(&S))
    return Dependent->getOperand();
  return nullptr;
}

llvm::SmallVector<const Expr *, 8> suspensionsIn(const Stmt *S) {
  llvm::SmallVector<const Expr *, 8> Found;
  walkWritten(S, [&](const Stmt &Part) {
    if (isSuspension(Part))
      Found.push_back(cast<Expr>(&Part));
    return true;
  });
  return Found;
}

//===----------------------------------------------------------------------===//
// FunctionBody
//===----------------------------------------------------------------------===//

const Expr *findWritten(const Stmt *S, const SymbolRoles &Roles,
                        llvm::ArrayRef<Role> Wanted) {
  const Expr *Found = nullptr;
  walkWritten(S, [&](const Stmt &Part) {
    const auto *E = dyn_cast<Expr>(&Part);
    if (E && !Found && llvm::any_of(Wanted, [&](Role R) {
          return Roles.find(E, R) != nullptr;
        }))
      Found = E;
    return !Found;
  });
  return Found;
}

const Expr *loopCondition(const Stmt &Loop) {
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getCond();
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getCond();
  return nullptr;
}

FunctionBody::FunctionBody(const FunctionDecl &Definition)
    : Function(Definition) {
  const Stmt *Written = Definition.getBody();
  Coroutine = dyn_cast_or_null<CoroutineBodyStmt>(Written);
  Body = Coroutine ? Coroutine->getBody() : Written;
  if (!Body)
    return;
  // An explicit stack: macro-heavy code nests deeper than the machine's.
  llvm::SmallVector<std::pair<const Stmt *, const Stmt *>, 32> Pending;
  Pending.push_back({Body, nullptr});
  while (!Pending.empty()) {
    auto [S, Parent] = Pending.pop_back_val();
    if (!Parents.try_emplace(S, Parent).second)
      continue;
    Statements.push_back(S);
    if (isSuspension(*S))
      Suspensions.push_back(cast<Expr>(S));
    auto Children = writtenChildren(*S);
    for (const Stmt *Child : llvm::reverse(Children))
      Pending.push_back({Child, S});
  }
}

const Stmt *FunctionBody::parent(const Stmt *S) const {
  return Parents.lookup(S);
}

bool FunctionBody::contains(const Stmt *Ancestor, const Stmt *S) const {
  for (; S; S = parent(S))
    if (S == Ancestor)
      return true;
  return false;
}

const Stmt *FunctionBody::fullExpression(const Stmt *S) const {
  for (const Stmt *P = parent(S); isa_and_nonnull<Expr>(P); P = parent(P))
    S = P;
  return S;
}

const Stmt *FunctionBody::enclosingLoop(const Stmt *S) const {
  for (const Stmt *P = parent(S); P; S = P, P = parent(P))
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(P)) {
      // A loop's first initialiser and its range run once, before it.
      if (const auto *For = dyn_cast<ForStmt>(P); For && For->getInit() == S)
        continue;
      if (const auto *Range = dyn_cast<CXXForRangeStmt>(P);
          Range && (Range->getRangeInit() == S || Range->getInit() == S))
        continue;
      return P;
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Coroutines
//===----------------------------------------------------------------------===//

/// The declaration all redeclarations and template instances of \p F share.
static const FunctionDecl *origin(const FunctionDecl &F) {
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return (Pattern ? Pattern : &F)->getCanonicalDecl();
}

struct Coroutines::UseIndex {
  llvm::DenseMap<const FunctionDecl *, std::vector<FunctionUse>> Uses;
  llvm::DenseMap<const FunctionDecl *, const LambdaExpr *> Lambdas;
};

namespace {
class DefinitionCollector : public RecursiveASTVisitor<DefinitionCollector> {
public:
  explicit DefinitionCollector(const SourceManager &SM) : SM(SM) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(Decl *D) {
    // Library code neither spawns nor awaits the functions of this project by
    // name, and there is a lot of it.
    if (D && !isa<TranslationUnitDecl>(D) && D->getLocation().isValid() &&
        SM.isInSystemHeader(D->getLocation()) && !isa<NamespaceDecl>(D))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->isThisDeclarationADefinition() && !F->isDependentContext())
      Definitions.push_back(F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    Lambdas.push_back(L);
    return true;
  }

  std::vector<const FunctionDecl *> Definitions;
  std::vector<const LambdaExpr *> Lambdas;

private:
  const SourceManager &SM;
};
} // namespace

Coroutines::Coroutines(AnalysisContext &Context) : Context(Context) {}

const FunctionBody *Coroutines::body(const FunctionDecl *F) {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition) || Definition->isDependentContext())
    return nullptr;
  std::unique_ptr<FunctionBody> &Slot = Bodies[Definition];
  if (!Slot)
    Slot = std::make_unique<FunctionBody>(*Definition);
  return Slot->body() ? Slot.get() : nullptr;
}

bool Coroutines::isCoroutine(const FunctionDecl *F) {
  const FunctionBody *Body = body(F);
  return Body && Body->isCoroutine();
}

const Library *Coroutines::library(const FunctionDecl &F) const {
  return Context.roles().libraryOf(F.getReturnType());
}

bool Coroutines::yieldsNothing(const FunctionDecl &F) const {
  if (const Entry *Task =
          Context.roles().findType(F.getReturnType(), Role::Task))
    if (Task->Detached)
      return true;
  const FunctionDecl *Definition = nullptr;
  if (!F.hasBody(Definition))
    return false;
  const auto *Body = dyn_cast<CoroutineBodyStmt>(Definition->getBody());
  if (!Body || !Body->getPromiseDecl())
    return false;
  const CXXRecordDecl *Promise =
      Body->getPromiseDecl()->getType()->getAsCXXRecordDecl();
  DeclarationName ReturnVoid(&Context.ast().Idents.get("return_void"));
  return Promise && Promise->hasDefinition() &&
         (Promise->hasMemberName(ReturnVoid) ||
          !Promise->lookup(ReturnVoid).empty());
}

/// The expression that \p S assigns to a member of this object, else null.
static const Expr *storedInMember(const Stmt *S) {
  const Expr *Target = nullptr, *Assigned = nullptr;
  if (const auto *Binary = dyn_cast<BinaryOperator>(S);
      Binary && Binary->getOpcode() == BO_Assign) {
    Target = Binary->getLHS();
    Assigned = Binary->getRHS();
  } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
             Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2) {
    Target = Op->getArg(0);
    Assigned = Op->getArg(1);
  }
  const auto *Member =
      dyn_cast_or_null<MemberExpr>(Target ? stripped(Target) : nullptr);
  return Member && isa<CXXThisExpr>(stripped(Member->getBase())) ? Assigned
                                                                 : nullptr;
}

/// \p Whole is \p Work, as it is or with continuations, or what calls it at
/// once and gives what comes of it.
static bool isFiber(const Expr *Whole, const Expr &Work,
                    const SymbolRoles &Roles) {
  for (const Expr *E = stripped(Whole); E;) {
    if (E == stripped(&Work))
      return true;
    const Expr *Part = nullptr;
    if (Roles.findType(E->getType(), Role::Task)) {
      if (const Expr *Object = objectOf(*E);
          Object && Roles.findType(stripped(Object)->getType(), Role::Task))
        Part = Object;
      else if (const Entry *Runs = Roles.find(E, Role::InlineCall))
        Part = Roles.argument(*E, Runs->Callable);
    }
    E = Part ? stripped(Part) : nullptr;
  }
  return false;
}

bool isKeptFiber(const Stmt &S, const Expr &Work, const SymbolRoles &Roles) {
  const Expr *Kept = storedInMember(&S);
  return Kept && isFiber(Kept, Work, Roles);
}

/// How the value of \p E, a call or lambda, is used.
static FunctionUse::Kind classify(const FunctionBody &Body, const Expr *E,
                                  const SymbolRoles &Roles, bool IsCall) {
  const Stmt *Below = E;
  bool Started = false, IsStep = false;
  for (const Stmt *S = Body.parent(E); S; Below = S, S = Body.parent(S)) {
    if (isSuspension(*S))
      return IsCall ? FunctionUse::Awaited : FunctionUse::Named;
    if (isa<ReturnStmt, CoreturnStmt>(S))
      return FunctionUse::Returned;
    if (const auto *Cast = dyn_cast<CStyleCastExpr>(S);
        Cast && Cast->getType()->isVoidType())
      return IsCall || Started || IsStep ? FunctionUse::Spawned
                                         : FunctionUse::Named;
    // A fiber that is kept in a member runs beside everything else.
    if (isKeptFiber(*S, *E, Roles))
      return FunctionUse::Spawned;
    if (const auto *Outer = dyn_cast<Expr>(S)) {
      // Who waits for the result with a thread has no token to cancel it with.
      if (Roles.find(Outer, Role::SyncWait))
        return FunctionUse::Spawned;
      Started |= Roles.find(Outer, Role::Spawn) != nullptr;
      // A step of work that is thrown away is thrown away with it.
      IsStep |=
          isa<CallExpr>(Outer) && Roles.findType(Outer->getType(), Role::Task);
      continue;
    }
    if (isa<CompoundStmt>(S) && IsCall && stripped(cast<Expr>(Below)) == E)
      return FunctionUse::Spawned;
    break;
  }
  if (Started)
    return FunctionUse::Spawned;
  return IsCall ? FunctionUse::Called : FunctionUse::Named;
}

Coroutines::UseIndex &Coroutines::index() {
  if (Index)
    return *Index;
  Index = std::make_shared<UseIndex>();
  ASTContext &Ctx = Context.ast();
  DefinitionCollector Collector(Ctx.getSourceManager());
  for (Decl *Top : Ctx.getTraversalScope())
    Collector.TraverseDecl(Top);
  for (const LambdaExpr *L : Collector.Lambdas)
    if (const CXXMethodDecl *Op = L->getCallOperator())
      Index->Lambdas[origin(*Op)] = L;
  const SymbolRoles &Roles = Context.roles();
  llvm::DenseSet<const FunctionDecl *> Seen;
  auto IndexInitializers = [&](const CXXConstructorDecl &F) {
    for (const CXXCtorInitializer *Init : F.inits())
      if (Init->isWritten())
        walkWritten(Init->getInit(), [&](const Stmt &S) {
          const auto *Call = dyn_cast<CallExpr>(&S);
          if (const FunctionDecl *Callee =
                  Call ? Call->getDirectCallee() : nullptr)
            Index->Uses[origin(*Callee)].push_back(
                {Init->isAnyMemberInitializer() &&
                         isFiber(Init->getInit(), *Call, Roles)
                     ? FunctionUse::Spawned
                     : FunctionUse::Called,
                 Call, &F});
          return true;
        });
  };
  auto Index1 = [&](const FunctionDecl *F) {
    const FunctionBody *Body = body(F);
    if (!Body || !Seen.insert(&Body->function()).second)
      return;
    if (const auto *Constructor =
            dyn_cast<CXXConstructorDecl>(&Body->function()))
      IndexInitializers(*Constructor);
    for (const Stmt *S : Body->statements()) {
      if (const auto *Call = dyn_cast<CallExpr>(S)) {
        // A lambda that was passed on is known by where that was; the calls in
        // the templates that got it say nothing.
        if (const FunctionDecl *Callee = Call->getDirectCallee();
            Callee && (!enclosingFunction(*Callee) ||
                       origin(*enclosingFunction(*Callee)) == origin(*F)))
          Index->Uses[origin(*Callee)].push_back(
              {classify(*Body, Call, Roles, /*IsCall=*/true), Call, F});
      } else if (const auto *L = dyn_cast<LambdaExpr>(S)) {
        if (const CXXMethodDecl *Op = L->getCallOperator()) {
          Index->Lambdas[origin(*Op)] = L;
          Index->Uses[origin(*Op)].push_back(
              {classify(*Body, L, Roles, /*IsCall=*/false), L, F});
        }
      } else if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
        const auto *Named = dyn_cast<FunctionDecl>(Ref->getDecl());
        const Stmt *P = Body->parent(Ref);
        bool IsCallee = false;
        if (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(P))
          P = Body->parent(Cast);
        if (const auto *Call = dyn_cast_or_null<CallExpr>(P))
          IsCallee = stripped(Call->getCallee()) == Ref;
        if (Named && !IsCallee)
          Index->Uses[origin(*Named)].push_back(
              {classify(*Body, Ref, Roles, /*IsCall=*/false), Ref, F});
      }
    }
  };
  for (const FunctionDecl *F : Collector.Definitions)
    Index1(F);
  for (const LambdaExpr *L : Collector.Lambdas)
    Index1(L->getCallOperator());
  return *Index;
}

llvm::ArrayRef<FunctionUse> Coroutines::uses(const FunctionDecl &F) {
  UseIndex &I = index();
  auto It = I.Uses.find(origin(F));
  if (It == I.Uses.end())
    return {};
  return It->second;
}

/// \p Await is the last thing its coroutine does.
static bool isTailAwait(const FunctionBody &Body, const Stmt *S) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body.body());
  while (S && S != Body.body()) {
    const Stmt *P = Body.parent(S);
    if (P == Body.body())
      return Block && Block->body_back() == S;
    if (!P || !(isa<Expr>(P)))
      return false;
    S = P;
  }
  return false;
}

bool Coroutines::isDetachedRoot(const FunctionDecl &F) {
  if (const Entry *Task =
          Context.roles().findType(F.getReturnType(), Role::Task))
    if (Task->Detached)
      return true;
  bool Spawned = false;
  for (const FunctionUse &Use : uses(F)) {
    switch (Use.How) {
    case FunctionUse::Spawned:
      Spawned = true;
      break;
    case FunctionUse::Returned:
    case FunctionUse::Awaited: {
      // A lambda that only forwards to F is spawned in its stead.
      const FunctionBody *In = Use.In ? body(Use.In) : nullptr;
      if (!In || Use.In == &F || !lambda(*Use.In) ||
          (Use.How == FunctionUse::Awaited && !isTailAwait(*In, Use.Where)) ||
          !isDetachedRoot(*Use.In))
        return false;
      Spawned = true;
      break;
    }
    case FunctionUse::Called:
    case FunctionUse::Named:
      return false;
    }
  }
  return Spawned;
}

const LambdaExpr *Coroutines::lambda(const FunctionDecl &CallOperator) {
  return index().Lambdas.lookup(origin(CallOperator));
}

const FunctionDecl *
Coroutines::enclosingFunction(const FunctionDecl &CallOperator) {
  const auto *Op = dyn_cast<CXXMethodDecl>(&CallOperator);
  if (!Op || !Op->getParent()->isLambda())
    return nullptr;
  for (const DeclContext *DC = Op->getParent()->getDeclContext(); DC;
       DC = DC->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(DC))
      return F;
  return nullptr;
}

} // namespace async_tidy
