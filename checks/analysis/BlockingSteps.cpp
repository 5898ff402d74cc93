//===--- BlockingSteps.cpp ------------------------------------------------===//

#include "BlockingSteps.h"
#include "Readiness.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {
namespace {

using Kind = BlockingStep::Kind;

class Collector {
public:
  Collector(AnalysisContext &Context, ExecutionContext &Execution,
            const BlockingPolicy &Policy, const FunctionDecl &F,
            llvm::function_ref<bool(const FunctionDecl &)> Follows)
      : Context(Context), Roles(Context.roles()), Execution(Execution),
        Policy(Policy), F(F), Body(Context.get<Coroutines>().body(&F)),
        Follows(Follows) {}

  std::vector<BlockingStep> run();

private:
  void walk(const Stmt *S);
  void visit(const Stmt &S);
  void call(const Expr &Call);
  void construction(const CXXConstructExpr &Construct);
  void madeBy(const CallExpr &Call);
  void variable(const VarDecl &Var, const DeclStmt &Where);
  bool terminal(const Expr &Call) const;
  void discarded(const Expr &E);
  void iteration(const CXXForRangeStmt &For);
  void awaiter(const CoroutineSuspendExpr &Suspend);
  bool destruction(QualType T, const Stmt *Where, SourceLocation Loc,
                   const ValueDecl *Object);

  const Entry *leafOf(const Expr &E, bool &Trusted) const;
  const Entry *extra(llvm::StringRef Name) const;
  bool cannotWait(const Expr &E, const Entry &Leaf) const;
  bool madeNonBlocking(const FieldDecl &Field) const;
  bool resultWaits(const Expr &Call) const;
  bool givenAway(const VarDecl &Var) const;
  const FunctionDecl *calledFunction(const Expr &Call) const;
  std::string leafName(const Expr &E) const;

  void addLeaf(Kind How, const Expr &E, const Entry &Leaf, std::string Name,
               const ValueDecl *Object);
  void addCallee(Kind How, const Stmt &Where, const FunctionDecl &Callee,
                 const LambdaExpr *Inline = nullptr);

  AnalysisContext &Context;
  const SymbolRoles &Roles;
  ExecutionContext &Execution;
  const BlockingPolicy &Policy;
  const FunctionDecl &F;
  const FunctionBody *Body;
  llvm::function_ref<bool(const FunctionDecl &)> Follows;
  std::vector<BlockingStep> Steps;
};

} // namespace

//===----------------------------------------------------------------------===//
// What an expression means
//===----------------------------------------------------------------------===//

const Entry *Collector::extra(llvm::StringRef Name) const {
  auto Found = Policy.Extra.find(Name);
  return Found == Policy.Extra.end() ? nullptr : &Found->second;
}

/// The entry by which \p E blocks. \p Trusted: it is declared not to.
const Entry *Collector::leafOf(const Expr &E, bool &Trusted) const {
  if (Policy.TrustNonblocking && Roles.find(&E, Role::NonBlocking)) {
    Trusted = true;
    return nullptr;
  }
  const Entry *Leaf = nullptr;
  for (const Entry *En : Roles.entries(&E))
    if (En->Kind == Role::Blocking || En->Kind == Role::SyncWait) {
      Leaf = En;
      break;
    }
  if (!Policy.Extra.empty())
    if (const NamedDecl *Callee = calleeOf(E)) {
      const Entry *Named = extra(canonicalName(*Callee));
      if (!Named && isa<CXXMethodDecl>(Callee))
        Named = extra(leafName(E));
      if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Callee);
          Ctor && !Named)
        Named = extra(canonicalName(*Ctor->getParent()));
      // Who names a function wants to hear about it, whatever its category.
      if (Named)
        return Named;
    }
  if (!Leaf)
    return nullptr;
  BlockingCategory Category = Leaf->Category.value_or(BlockingCategory::Sync);
  return Policy.Categories.test(unsigned(Category)) ? Leaf : nullptr;
}

/// \p T as it is written, or without its template arguments when these are.
static std::string typeName(QualType T, ASTContext &Ctx) {
  PrintingPolicy P(Ctx.getLangOpts());
  P.SuppressTagKeyword = true;
  P.SuppressUnwrittenScope = true;
  T = T.getNonReferenceType().getUnqualifiedType();
  std::string Written = T.getAsString(P);
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  return RD && StringRef(Written).contains('<') ? canonicalName(*RD) : Written;
}

/// \p E's function as the user knows it: of a method, with the class of the
/// object, which may inherit it from an implementation's base class.
std::string Collector::leafName(const Expr &E) const {
  const NamedDecl *Callee = calleeOf(E);
  if (isa<CXXConstructExpr>(E))
    return typeName(E.getType(), Context.ast());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
    Callee = Ref->getDecl();
  if (!Callee)
    return "call";
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const Expr *Object = objectOf(E);
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E);
      Op && Op->getOperator() == OO_Call && Object)
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Object)))
      return displayName(*Ref->getDecl());
  if (Method && Object) {
    QualType T = Object->IgnoreParenImpCasts()->getType();
    if (T->isPointerType())
      T = T->getPointeeType();
    if (const CXXRecordDecl *RD = T.getNonReferenceType()->getAsCXXRecordDecl();
        RD && !RD->isLambda())
      return typeName(T, Context.ast()) + "::" + Method->getNameAsString();
  }
  return displayName(*Callee);
}

/// \p Call writes no more than a number, which is how a pipe or an eventfd
/// wakes somebody.
static bool writesOneNumber(const Expr &Call, ASTContext &Ctx) {
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(Call));
  auto Args = argumentsOf(Call);
  if (!Callee || Args.size() < 3 || Callee->getNumParams() < 3 ||
      !Callee->getParamDecl(1)->getType()->isPointerType() ||
      !Callee->getParamDecl(1)->getType()->getPointeeType().isConstQualified())
    return false;
  Expr::EvalResult Size;
  return Args[2]->EvaluateAsInt(Size, Ctx) &&
         Size.Val.getInt().getExtValue() <= 8;
}

/// A constructor of its class makes \p Field in, or switches it to,
/// non-blocking mode.
bool Collector::madeNonBlocking(const FieldDecl &Field) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getParent());
  if (!Class || !Class->hasDefinition())
    return false;
  return llvm::any_of(Class->ctors(), [&](const CXXConstructorDecl *Ctor) {
    const FunctionBody *Inside = Context.get<Coroutines>().body(Ctor);
    if (!Inside)
      return false;
    const auto *Made = cast<CXXConstructorDecl>(&Inside->function());
    return llvm::any_of(Made->inits(),
                        [&](const CXXCtorInitializer *Init) {
                          return Init->getMember() == &Field &&
                                 saysNonBlocking(Roles, *Init->getInit());
                        }) ||
           usedNonBlocking(Roles, *Inside, &Field);
  });
}

/// \p E is of a kind that blocks, but does not here.
bool Collector::cannotWait(const Expr &E, const Entry &Leaf) const {
  if (isZeroDuration(Roles.argument(E, Leaf.Duration), Context.ast()))
    return true;
  auto Args = argumentsOf(E);
  for (const Expr *Arg : Args)
    if (saysNonBlocking(Roles, *Arg))
      return true;
  if (!Body)
    return false;
  // What is awaited is an awaitable of that name, not a wait.
  for (const Stmt *S = &E, *P = Body->parent(S); P;
       S = P, P = Body->parent(P)) {
    if (isSuspension(*P) && stripped(suspensionOperand(*P)) == &E &&
        isAwaitableType(E.getType(), Context.ast()))
      return true;
    if (!isa<Expr>(P))
      break;
  }
  const Expr *Object = objectOf(E);
  switch (Leaf.Category.value_or(BlockingCategory::Sync)) {
  case BlockingCategory::Future:
    return Object && isProvenReady(Context, *Body, Object, &E);
  case BlockingCategory::Net:
  case BlockingCategory::Fs:
  case BlockingCategory::Stdio: {
    const ValueDecl *On = rootOf(Object         ? Object
                                 : Args.empty() ? nullptr
                                                : Args[0]);
    if (On && On->getType()->isPointerType() && !Object)
      On = nullptr; // a file's name, not what was opened
    if (usedNonBlocking(Roles, *Body, On))
      return true;
    const auto *Field = dyn_cast_or_null<FieldDecl>(On);
    if (Field && madeNonBlocking(*Field))
      return true;
    const bool InC = Leaf.Owner && Leaf.Owner->CLinkage;
    if (InC && writesOneNumber(E, Context.ast()))
      return true;
    // A descriptor that an await has found ready.
    return !Object && InC && !Args.empty() &&
           isProvenReady(Context, *Body, Args[0], &E);
  }
  default:
    return false;
  }
}

/// Destroying what \p Call, which offloads and blocks, returns waits: there is
/// work that runs elsewhere, unless an argument says that none does.
bool Collector::resultWaits(const Expr &Call) const {
  return llvm::none_of(argumentsOf(Call), [&](const Expr *Arg) {
    // Of several flags together any may be chosen.
    return isa<DeclRefExpr>(stripped(Arg)) && saysNonBlocking(Roles, *Arg);
  });
}

/// \p Call reads from a stream object that the models call blocking.
bool Collector::terminal(const Expr &Call) const {
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(Call));
  if (!Callee)
    return false;
  static constexpr StringRef Reads[] = {"get", "getline", "read", "ignore",
                                        "peek"};
  return Callee->getOverloadedOperator() == OO_GreaterGreater ||
         (Callee->getIdentifier() &&
          llvm::is_contained(Reads, Callee->getName()));
}

const FunctionDecl *Collector::calledFunction(const Expr &Call) const {
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(Call));
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Member || !Method || !Method->isVirtual())
    return Callee;
  const auto *Named = dyn_cast<MemberExpr>(Member->getCallee()->IgnoreParens());
  if (Named && Named->hasQualifier())
    return Callee;
  return Method->getDevirtualizedMethod(Member->getImplicitObjectArgument(),
                                        /*IsAppleKext=*/false);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Collector::addLeaf(Kind How, const Expr &E, const Entry &Leaf,
                        std::string Name, const ValueDecl *Object) {
  BlockingStep Step;
  Step.How = How;
  Step.Where = &E;
  Step.Loc = E.getExprLoc();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
    Step.Loc = Construct->getLocation();
  Step.Leaf = &Leaf;
  Step.LeafCall = &E;
  Step.Name = std::move(Name);
  Step.Object = Object;
  Steps.push_back(std::move(Step));
}

void Collector::addCallee(Kind How, const Stmt &Where,
                          const FunctionDecl &Callee,
                          const LambdaExpr *Inline) {
  if (!Follows(Callee))
    return;
  BlockingStep Step;
  Step.How = How;
  Step.Where = &Where;
  Step.Loc = Where.getBeginLoc();
  if (const auto *E = dyn_cast<Expr>(&Where))
    Step.Loc = E->getExprLoc();
  Step.Callee = &Callee;
  Step.Inline = Inline;
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(&Callee);
  Step.Name = Ctor ? canonicalName(*Ctor->getParent()) : displayName(Callee);
  if (const auto *E = dyn_cast<Expr>(&Where))
    if (const Expr *Object = objectOf(*E))
      Step.Object = rootOf(Object);
  Steps.push_back(std::move(Step));
}

void Collector::call(const Expr &Call) {
  bool Trusted = false;
  const Entry *Leaf = leafOf(Call, Trusted);
  if (Trusted)
    return;
  if (!Leaf && terminal(Call)) {
    const Expr *From = objectOf(Call);
    if (!From && !argumentsOf(Call).empty())
      From = argumentsOf(Call)[0];
    From = From ? stripped(From) : nullptr;
    // In `cin >> a >> b` the second read is from what the first returns.
    if (From && isa<DeclRefExpr>(From) && (Leaf = leafOf(*From, Trusted)))
      return addLeaf(Kind::Call, Call, *Leaf, leafName(*From), rootOf(From));
  }
  // What offloads and blocks at once blocks when its result is destroyed.
  if (Leaf && Execution.runsElsewhere(Call))
    return;
  if (Leaf) {
    const Expr *Object = objectOf(Call);
    auto Args = argumentsOf(Call);
    if (!cannotWait(Call, *Leaf))
      addLeaf(Kind::Call, Call, *Leaf, leafName(Call),
              rootOf(Object         ? Object
                     : Args.empty() ? nullptr
                                    : Args[0]));
    return;
  }
  for (const Expr *Callable : Execution.inlineCallables(Call))
    if (const FunctionDecl *Run = calledBy(*Callable))
      addCallee(Kind::Call, Call, *Run, writtenLambda(*Callable));
  const FunctionDecl *Callee = calledFunction(Call);
  if (!Callee || Execution.runsElsewhere(Call))
    return;
  const LambdaExpr *Inline = nullptr;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
      Method && Method->getParent()->isLambda())
    if (const Expr *Object = objectOf(Call))
      Inline = writtenLambda(*Object);
  // The lambdas written here that a template of this file calls: their own
  // steps are nearer to the fault than the template's.
  llvm::SmallVector<const FunctionDecl *, 1> Apart;
  const FunctionBody *Helper =
      !Inline && Callee->isTemplateInstantiation() && Follows(*Callee)
          ? Context.get<Coroutines>().body(Callee)
          : nullptr;
  for (const Expr *Arg : argumentsOf(Call)) {
    const LambdaExpr *L = Helper ? writtenLambda(*Arg) : nullptr;
    if (!L)
      continue;
    for (const Stmt *S : Helper->statements()) {
      const auto *Inner = dyn_cast<CXXOperatorCallExpr>(S);
      const auto *Op = dyn_cast_or_null<CXXMethodDecl>(
          Inner ? Inner->getDirectCallee() : nullptr);
      if (!Op || Op->getParent() != L->getLambdaClass() || !Follows(*Op))
        continue;
      addCallee(Kind::Call, Call, *Op, L);
      Apart.push_back(Op);
      break;
    }
  }
  size_t Before = Steps.size();
  addCallee(Kind::Call, Call, *Callee, Inline);
  if (Steps.size() > Before)
    Steps.back().Apart = std::move(Apart);
}

/// `std::make_unique<T>(…)` and the like: T's constructor runs here.
void Collector::madeBy(const CallExpr &Call) {
  const FunctionDecl *Maker = Call.getDirectCallee();
  if (!Maker || !Maker->isInStdNamespace() || !Maker->getIdentifier() ||
      !Maker->getName().starts_with("make_"))
    return;
  const auto *Owner = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Call.getType()->getAsCXXRecordDecl());
  if (!Owner || Owner->getTemplateArgs().size() == 0 ||
      Owner->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return;
  const CXXRecordDecl *RD =
      Owner->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition())
    return;
  unsigned N = Call.getNumArgs();
  for (const CXXConstructorDecl *Ctor : RD->ctors()) {
    if (Ctor->isCopyOrMoveConstructor() ||
        N < Ctor->getMinRequiredArguments() || N > Ctor->getNumParams())
      continue;
    const Entry *Leaf =
        Roles.find(static_cast<const Decl *>(Ctor), Role::Blocking);
    if (Leaf && (!Leaf->Category ||
                 Policy.Categories.test(unsigned(*Leaf->Category)))) {
      if ((!Leaf->MinArgs || N >= *Leaf->MinArgs) &&
          (!Leaf->MaxArgs || N <= *Leaf->MaxArgs))
        addLeaf(
            Kind::Construction, Call, *Leaf,
            typeName(Owner->getTemplateArgs()[0].getAsType(), Context.ast()),
            nullptr);
      return;
    }
    if (!Leaf && !Ctor->isImplicit()) {
      addCallee(Kind::Construction, Call, *Ctor);
      return;
    }
  }
}

void Collector::construction(const CXXConstructExpr &Construct) {
  const CXXConstructorDecl *Ctor = Construct.getConstructor();
  if (Ctor->isCopyOrMoveConstructor() && Construct.isElidable())
    return;
  bool Trusted = false;
  const Entry *Leaf =
      Ctor->isCopyOrMoveConstructor() ? nullptr : leafOf(Construct, Trusted);
  if (Trusted)
    return;
  if (Leaf) {
    if (!cannotWait(Construct, *Leaf))
      addLeaf(Kind::Construction, Construct, *Leaf, leafName(Construct),
              nullptr);
    return;
  }
  // A guard that calls what it is made from when it is destroyed.
  if (Roles.find(&Construct, Role::InlineCall))
    for (const Expr *Callable : Execution.inlineCallables(Construct))
      if (const FunctionDecl *Run = calledBy(*Callable))
        addCallee(Kind::Call, Construct, *Run, writtenLambda(*Callable));
  if (!Ctor->isDefaulted() || Ctor->hasBody())
    addCallee(Kind::Construction, Construct, *Ctor);
}

/// Standard types that destroy objects of their first template argument.
static bool ownsItsArgument(const ClassTemplateSpecializationDecl &RD) {
  static constexpr StringRef Owners[] = {
      "vector",     "deque", "list", "forward_list", "optional",
      "unique_ptr", "array", "pair", "tuple"};
  return RD.isInStdNamespace() && RD.getIdentifier() &&
         llvm::is_contained(Owners, RD.getName());
}

/// Adds what destroying an object of type \p T does; true if anything.
bool Collector::destruction(QualType T, const Stmt *Where, SourceLocation Loc,
                            const ValueDecl *Object) {
  const CXXRecordDecl *RD = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (T->isReferenceType() || !RD || !RD->hasDefinition() ||
      RD->hasTrivialDestructor())
    return false;
  const CXXDestructorDecl *Destructor = RD->getDestructor();
  BlockingStep Step;
  Step.How = Kind::Destruction;
  Step.Where = Where;
  Step.Loc = Loc;
  Step.Object = Object;
  if (Destructor) {
    const Entry *Leaf =
        Roles.find(static_cast<const Decl *>(Destructor), Role::Blocking);
    if (!Leaf && !Policy.Extra.empty())
      Leaf = extra(canonicalName(*Destructor));
    if (Leaf) {
      if (Leaf->Category && !Policy.Categories.test(unsigned(*Leaf->Category)))
        return false;
      Step.Leaf = Leaf;
      Step.Name = displayName(*Destructor);
      Steps.push_back(std::move(Step));
      return true;
    }
    if (Follows(*Destructor)) {
      Step.Callee = Destructor;
      Step.Name = displayName(*Destructor);
      Steps.push_back(std::move(Step));
      return true;
    }
  }
  const auto *Owner = dyn_cast<ClassTemplateSpecializationDecl>(RD);
  if (!Owner || !ownsItsArgument(*Owner))
    return false;
  llvm::SmallVector<QualType, 4> Owned;
  for (const TemplateArgument &Arg : Owner->getTemplateArgs().asArray()) {
    if (Arg.getKind() == TemplateArgument::Type)
      Owned.push_back(Arg.getAsType());
    else if (Arg.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Part : Arg.pack_elements())
        if (Part.getKind() == TemplateArgument::Type)
          Owned.push_back(Part.getAsType());
  }
  bool Any = false;
  for (QualType Part : Owned)
    Any |= destruction(Part, Where, Loc, Object);
  return Any;
}

/// \p Var does not hold its value any more at its end, or is not waited for.
bool Collector::givenAway(const VarDecl &Var) const {
  if (!Body)
    return false;
  auto IsVar = [&](const Expr *E) {
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E ? stripped(E) : nullptr);
    return Ref && Ref->getDecl() == &Var;
  };
  for (const Stmt *S : Body->statements()) {
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const IdentifierInfo *Name = Callee ? Callee->getIdentifier() : nullptr;
      if (Name && Callee->isInStdNamespace() &&
          (Name->getName() == "move" || Name->getName() == "exchange" ||
           Name->getName() == "swap"))
        for (const Expr *Arg : Call->arguments())
          if (IsVar(Arg))
            return true;
      // Detaching, releasing, or waiting, which is reported itself.
      if (Name && objectOf(*Call) && rootOf(objectOf(*Call)) == &Var &&
          (Name->getName() == "detach" || Name->getName() == "release" ||
           Name->getName() == "swap" || Name->getName() == "share" ||
           Roles.find(Call, Role::Blocking) ||
           Roles.find(Call, Role::SyncWait)))
        return true;
    } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
      if (IsVar(Return->getRetValue()))
        return true;
    } else if (const auto *Return = dyn_cast<CoreturnStmt>(S)) {
      if (IsVar(Return->getOperand()))
        return true;
    } else if (const auto *For = dyn_cast<CXXForRangeStmt>(S)) {
      // A loop over its elements that joins them is reported itself.
      if (rootOf(For->getRangeInit()) == &Var)
        for (const Stmt *Inner : Body->statements())
          if (const auto *Call = dyn_cast<CallExpr>(Inner);
              Call && objectOf(*Call) &&
              rootOf(objectOf(*Call)) == For->getLoopVariable())
            return true;
    }
  }
  return false;
}

void Collector::variable(const VarDecl &Var, const DeclStmt &Where) {
  if (!Var.hasLocalStorage() || isa<ParmVarDecl>(Var))
    return;
  const Expr *Init = Var.getInit() ? stripped(Var.getInit()) : nullptr;
  const auto *Construct = dyn_cast_or_null<CXXConstructExpr>(Init);
  bool Empty = Construct && Construct->getNumArgs() == 0 &&
               Context.ast().getSourceManager().isInSystemHeader(
                   Construct->getConstructor()->getLocation());
  // A default constructed thread; containers may be filled later.
  if (Empty && !dyn_cast<ClassTemplateSpecializationDecl>(
                   Construct->getConstructor()->getParent()))
    return;
  size_t Before = Steps.size();
  bool Trusted = false;
  const Entry *Leaf = nullptr;
  if (Init && isa<CallExpr>(Init) && Execution.runsElsewhere(*Init) &&
      (Leaf = leafOf(*Init, Trusted))) {
    if (resultWaits(*Init))
      addLeaf(Kind::Result, *Init, *Leaf, leafName(*Init), &Var);
  } else {
    destruction(Var.getType(), &Where, Var.getLocation(), &Var);
  }
  if (Steps.size() > Before && givenAway(Var))
    Steps.resize(Before);
}

/// \p E's value is destroyed at the end of its statement.
void Collector::discarded(const Expr &E) {
  const Expr *Value = stripped(&E);
  while (const auto *Cast = dyn_cast<CastExpr>(Value)) {
    if (Cast->getCastKind() != CK_ToVoid)
      break;
    Value = stripped(Cast->getSubExpr());
  }
  if (!Value->isPRValue())
    return;
  bool Trusted = false;
  const Entry *Leaf = isa<CallExpr>(Value) && Execution.runsElsewhere(*Value)
                          ? leafOf(*Value, Trusted)
                          : nullptr;
  if (Leaf) {
    if (resultWaits(*Value))
      addLeaf(Kind::Result, *Value, *Leaf, leafName(*Value), nullptr);
  } else {
    destruction(Value->getType(), Value, E.getBeginLoc(), nullptr);
  }
}

void Collector::iteration(const CXXForRangeStmt &For) {
  size_t Before = Steps.size();
  walk(For.getRangeInit());
  if (Steps.size() > Before)
    return; // the range itself blocks: one fault
  for (const Stmt *Hidden : {static_cast<const Stmt *>(For.getBeginStmt()),
                             static_cast<const Stmt *>(For.getEndStmt()),
                             static_cast<const Stmt *>(For.getCond()),
                             static_cast<const Stmt *>(For.getInc())}) {
    size_t At = Steps.size();
    if (Hidden)
      walk(Hidden);
    for (; At < Steps.size(); ++At) {
      Steps[At].How = Kind::Iteration;
      Steps[At].Where = For.getRangeInit();
      Steps[At].Loc = For.getRangeInit()->getExprLoc();
    }
    if (Steps.size() > Before + 1)
      Steps.resize(Before + 1);
  }
}

void Collector::awaiter(const CoroutineSuspendExpr &Suspend) {
  for (const Expr *Implicit : {Suspend.getReadyExpr(), Suspend.getSuspendExpr(),
                               Suspend.getResumeExpr()}) {
    bool Added = false;
    walkWritten(Implicit, [&](const Stmt &S) {
      // The awaiter itself may have been made by a co_await's operand.
      if (isa<OpaqueValueExpr>(S) || Added)
        return false;
      const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
      const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
      if (Method && Method->getIdentifier() &&
          Method->getName().starts_with("await_")) {
        addCallee(Kind::Await, Suspend, *Method);
        Added = true;
      }
      return !Added;
    });
  }
}

void Collector::visit(const Stmt &S) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S)) {
    construction(*Construct);
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    call(*Call);
    madeBy(*Call);
  } else if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&S)) {
    QualType T = Delete->getDestroyedType();
    const CXXRecordDecl *RD = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
    const CXXDestructorDecl *D =
        RD && RD->hasDefinition() ? RD->getDestructor() : nullptr;
    if (D && (!D->isVirtual() || RD->isEffectivelyFinal()))
      destruction(T, Delete, Delete->getBeginLoc(), nullptr);
  } else if (const auto *Decls = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        variable(*Var, *Decls);
  } else if (const auto *Suspend = dyn_cast<CoroutineSuspendExpr>(&S)) {
    if (isSuspension(S))
      awaiter(*Suspend);
  } else if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    for (const Stmt *Part : Block->body())
      if (const auto *E = dyn_cast<Expr>(Part))
        discarded(*E);
  }
}

void Collector::walk(const Stmt *S) {
  walkWritten(S, [&](const Stmt &Part) {
    // Not evaluated.
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr,
            TypeTraitExpr>(Part) ||
        Part.getStmtClass() == Stmt::RequiresExprClass)
      return false;
    if (const auto *If = dyn_cast<IfStmt>(&Part); If && If->isConstexpr()) {
      walk(If->getInit());
      if (std::optional<const Stmt *> Taken =
              If->getNondiscardedCase(Context.ast())) {
        walk(*Taken);
        return false;
      }
      return true;
    }
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(&Part)) {
      walk(Default->getExpr());
      return false;
    }
    if (const auto *For = dyn_cast<CXXForRangeStmt>(&Part)) {
      walk(For->getInit());
      iteration(*For);
      walk(For->getLoopVarStmt());
      walk(For->getBody());
      return false;
    }
    visit(Part);
    return true;
  });
}

std::vector<BlockingStep> Collector::run() {
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&F))
    for (const CXXCtorInitializer *Init : Ctor->inits())
      walk(Init->getInit());
  if (Body)
    walk(Body->body());
  if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(&F)) {
    const CXXRecordDecl *RD = Destructor->getParent();
    for (const FieldDecl *Field : RD->fields())
      destruction(Field->getType(), nullptr, Field->getLocation(), Field);
    for (const CXXBaseSpecifier &Base : RD->bases())
      destruction(Base.getType(), nullptr, Base.getBeginLoc(), nullptr);
  }
  return std::move(Steps);
}

std::vector<BlockingStep>
collectBlockingSteps(AnalysisContext &Context, ExecutionContext &Execution,
                     const BlockingPolicy &Policy, const FunctionDecl &F,
                     llvm::function_ref<bool(const FunctionDecl &)> Follows) {
  return Collector(Context, Execution, Policy, F, Follows).run();
}

} // namespace async_tidy
