//===--- ExecutionContext.cpp ---------------------------------------------===//

#include "ExecutionContext.h"
#include "CoroutineCfg.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

ExecutionContext::ExecutionContext(AnalysisContext &Context,
                                   ExecutionPolicy Policy)
    : Context(Context), Functions(Context.get<Coroutines>()),
      Policy(std::move(Policy)) {}

/// \p E names the parameter number \p Parameter of \p F.
static bool isParameter(const Expr *E, const FunctionDecl &F,
                        unsigned Parameter) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(stripped(E));
  return Ref && Parameter < F.getNumParams() &&
         Ref->getDecl() == F.getParamDecl(Parameter);
}

bool ExecutionContext::callsParameter(const FunctionDecl &F,
                                      unsigned Parameter) {
  const FunctionBody *Body = Functions.body(&F);
  if (!Body || Body->isCoroutine())
    return false;
  const FunctionDecl &Definition = Body->function();
  auto [Slot, New] =
      CallsParameter.try_emplace({&Definition, Parameter}, false);
  if (!New)
    return Slot->second;
  bool Calls = false;
  for (const Stmt *S : Body->statements()) {
    const auto *Call = dyn_cast<CallExpr>(S);
    if (!Call)
      continue;
    const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
    const Expr *Called =
        Op && Op->getOperator() == OO_Call ? Op->getArg(0) : Call->getCallee();
    if (Called && isParameter(Called, Definition, Parameter))
      Calls = true;
    for (const Expr *Passed : inlineCallables(*Call))
      Calls |= isParameter(Passed, Definition, Parameter);
    if (Calls)
      break;
  }
  return CallsParameter[{&Definition, Parameter}] = Calls;
}

llvm::SmallVector<const Expr *, 2>
ExecutionContext::inlineCallables(const Expr &Call) {
  llvm::SmallVector<const Expr *, 2> Found;
  if (runsElsewhere(Call))
    return Found;
  const SymbolRoles &Roles = Context.roles();
  // A parameter is a callable of which only the caller knows what it is.
  auto IsCallable = [](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(stripped(&E));
    const CXXRecordDecl *RD =
        E.getType().getNonReferenceType()->getAsCXXRecordDecl();
    return calledBy(E) != nullptr || (RD && RD->isLambda()) ||
           (Ref && isa<ParmVarDecl>(Ref->getDecl()));
  };
  bool Modelled = false;
  for (const Entry *En : Roles.entries(&Call)) {
    if (En->Kind != Role::InlineCall && En->Kind != Role::Retry)
      continue;
    Modelled = true;
    if (const Expr *Callable = Roles.argument(Call, En->Callable, IsCallable))
      if (!llvm::is_contained(Found, Callable))
        Found.push_back(Callable);
  }
  const auto *F = dyn_cast_or_null<FunctionDecl>(calleeOf(Call));
  if (Modelled || !F || !F->hasBody())
    return Found;
  auto Args = argumentsOf(Call);
  for (unsigned I = 0, N = std::min<unsigned>(Args.size(), F->getNumParams());
       I < N; ++I) {
    QualType T = F->getParamDecl(I)->getType().getNonReferenceType();
    const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
    bool Erased = T->isFunctionPointerType() || T->isFunctionType() ||
                  (RD && !RD->isLambda());
    if (Erased && IsCallable(*Args[I]) && callsParameter(*F, I))
      Found.push_back(Args[I]);
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

bool ExecutionContext::isPoolType(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  if (!RD)
    return false;
  if (Context.roles().findType(T, Role::Pool))
    return true;
  if (!Policy.Pools.empty() && (Policy.Pools.contains(canonicalName(*RD)) ||
                                Policy.Pools.contains(RD->getName())))
    return true;
  // A smart pointer to a pool.
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(RD);
  if (!Spec || Spec->getTemplateArgs().size() == 0 ||
      Spec->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return false;
  DeclarationName Arrow =
      Context.ast().DeclarationNames.getCXXOperatorName(OO_Arrow);
  return RD->hasDefinition() && RD->hasMemberName(Arrow) &&
         isPoolType(Spec->getTemplateArgs()[0].getAsType());
}

bool ExecutionContext::isPool(const Expr *E) {
  // Executors are taken from pools in few steps.
  for (unsigned Depth = 0; E && Depth < 4; ++Depth) {
    E = stripped(E);
    if (isPoolType(E->getType()) || Context.roles().find(E, Role::Pool))
      return true;
    if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      E = Var ? Var->getInit() : nullptr;
    } else if (isa<CallExpr, CXXConstructExpr>(E)) {
      if (const Expr *Object = objectOf(*E)) {
        E = Object;
        continue;
      }
      auto Args = argumentsOf(*E);
      E = Args.empty() || isa<CXXDefaultArgExpr>(Args[0]) ? nullptr : Args[0];
    } else {
      return false;
    }
  }
  return false;
}

/// \p Named is listed in \p Names, in full or by its last component.
static bool listed(const llvm::StringSet<> &Names, const NamedDecl *Named) {
  if (Names.empty() || !Named)
    return false;
  std::string Name = canonicalName(*Named);
  return Names.contains(Name) ||
         Names.contains(llvm::StringRef(Name).rsplit("::").second);
}

bool ExecutionContext::offloads(const Expr &Call) {
  if (listed(Policy.Offloads, calleeOf(Call)))
    return true;
  const SymbolRoles &Roles = Context.roles();
  for (const Entry *En : Roles.entries(&Call)) {
    if (En->Kind != Role::Offload && En->Kind != Role::Spawn)
      continue;
    if (En->Runs == "pool" && En->Executor.empty())
      return true;
    if (En->Runs == "loop" || En->Executor.empty())
      continue;
    const Expr *Executor = Roles.argument(Call, En->Executor);
    // Where a model calls any executor a pool, the type may still be unknown.
    if (Executor && (En->Runs == "pool" || isPool(Executor)))
      return true;
  }
  return false;
}

bool ExecutionContext::runsElsewhere(const Expr &Call) {
  if (listed(Policy.Offloads, calleeOf(Call)))
    return true;
  bool Elsewhere = false;
  for (const Entry *En : Context.roles().entries(&Call)) {
    // What starts work nobody waits for may still call its callable here.
    if (En->Kind == Role::InlineCall)
      return false;
    Elsewhere |= En->Kind == Role::Offload || En->Kind == Role::Post ||
                 En->Kind == Role::Spawn;
  }
  return Elsewhere;
}

/// True when \p Below, a statement of \p Body, is (part of) what \p Call hands
/// over rather than its executor.
static bool isHandedOver(const SymbolRoles &Roles, const FunctionBody &Body,
                         const Expr &Call, const Stmt *Below) {
  for (const Entry *En : Roles.entries(&Call)) {
    if (En->Kind != Role::Offload && En->Kind != Role::Spawn)
      continue;
    const Expr *Executor = Roles.argument(Call, En->Executor);
    if (Executor && Body.contains(Executor, Below))
      return false;
  }
  return true;
}

/// Where the coroutine that \p Task, in \p Body, makes starts.
unsigned char ExecutionContext::placeOf(const FunctionBody &Body,
                                        const Stmt *Task) {
  for (const Stmt *S = Task; S; S = Body.parent(S)) {
    if (isSuspension(*S) && Body.isCoroutine())
      return placeAt(Body, S);
    if (isa<ReturnStmt, CoreturnStmt>(S))
      return startOf(Body.function());
    const auto *Call = dyn_cast<Expr>(S);
    if (Call && S != Task && isa<CallExpr, CXXConstructExpr>(Call)) {
      if (offloads(*Call) && isHandedOver(Context.roles(), Body, *Call, Task))
        return Pool;
      if (!Body.isCoroutine() && Context.roles().find(Call, Role::SyncWait))
        return Waiter;
    }
    // Kept in a variable first.
    if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
      if (!Decls->isSingleDecl())
        return Loop;
      unsigned char At = Unreached;
      for (const Stmt *Other : Body.statements())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(Other);
            Ref && Ref->getDecl() == Decls->getSingleDecl())
          At |= placeOf(Body, Ref);
      return At == Unreached ? Loop : At;
    }
  }
  return Loop;
}

unsigned char ExecutionContext::startOf(const FunctionDecl &F) {
  auto [Slot, New] = Starts.try_emplace(F.getCanonicalDecl(), Loop);
  if (!New)
    return Slot->second; // also what a recursive coroutine adds: nothing
  unsigned char At = Unreached;
  for (const FunctionUse &Use : Functions.uses(F)) {
    // Coroutines that await themselves say nothing about where they start.
    if (Use.In && Use.In->getCanonicalDecl() == F.getCanonicalDecl())
      continue;
    const FunctionBody *Body = Functions.body(Use.In);
    At |= Body ? placeOf(*Body, Use.Where) : Loop;
  }
  return Starts[F.getCanonicalDecl()] = At == Unreached ? Loop : At;
}

//===----------------------------------------------------------------------===//
// Migration
//===----------------------------------------------------------------------===//

struct ExecutionContext::Migration {
  llvm::DenseMap<const Stmt *, unsigned char> Before; ///< Place, by statement
  unsigned char Initial = 0;
  unsigned char AtExit = 0;
  bool Moves = false;
  bool Building = true;
};

ExecutionContext::~ExecutionContext() = default;

/// The awaiter's method that the implicit \p Call of a suspension runs.
static const FunctionDecl *awaiterMethod(const Expr *Call) {
  const auto *Member =
      dyn_cast_or_null<CXXMemberCallExpr>(Call ? stripped(Call) : nullptr);
  return Member ? Member->getMethodDecl() : nullptr;
}

/// Where the coroutine goes on after \p Suspension; none: where it was.
std::optional<ExecutionContext::Place>
ExecutionContext::moves(const Expr &Suspension) {
  const SymbolRoles &Roles = Context.roles();
  const Expr *Operand = stripped(suspensionOperand(Suspension));
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Operand))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->isLocalVarDecl() && Var->getInit())
      Operand = Var->getInit();
  std::optional<Place> To;
  walkWritten(Operand, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E || To || isSuspension(S))
      return false;
    if (Roles.find(E, Role::ResumeOnLoop))
      To = Loop;
    else if (const Entry *En = Roles.find(E, Role::ResumeOnPool)) {
      const Expr *Executor = Roles.argument(*E, En->Executor);
      To = En->Executor.empty() || (Executor && isPool(Executor)) ? Pool : Loop;
    }
    return !To;
  });
  if (To)
    return To;
  // An awaiter of this file that has a pool resume the coroutine.
  const auto *Await = dyn_cast<CoroutineSuspendExpr>(&Suspension);
  const FunctionDecl *Suspend =
      Await ? awaiterMethod(Await->getSuspendExpr()) : nullptr;
  if (const FunctionBody *Body = Functions.body(Suspend))
    for (const Stmt *S : Body->statements())
      if (const auto *E = dyn_cast<Expr>(S);
          E && isa<CallExpr, CXXConstructExpr>(E) && offloads(*E))
        return Pool;
  // A coroutine that ends on a pool resumes its awaiter there.
  if (const auto *Call = dyn_cast_or_null<CallExpr>(Operand))
    if (const FunctionBody *Body = Functions.body(Call->getDirectCallee());
        Body && Body->isCoroutine()) {
      Migration &Callee = migration(*Body);
      if (Callee.Moves && !Callee.Building && Callee.AtExit == Pool)
        return Pool;
    }
  return std::nullopt;
}

ExecutionContext::Migration &
ExecutionContext::migration(const FunctionBody &Body) {
  std::unique_ptr<Migration> &Slot = Migrations[&Body.function()];
  if (Slot)
    return *Slot;
  Slot = std::make_unique<Migration>();
  Migration &M = *Slot; // stays where it is when the map grows
  M.Initial = Loop;
  llvm::DenseMap<const Stmt *, Place> Moves;
  for (const Expr *Suspension : Body.suspensions())
    if (std::optional<Place> To = moves(*Suspension))
      Moves[Suspension] = *To;
  M.Initial = startOf(Body.function());
  // Who resumes it after it has left the thread that waits is not known.
  if (M.Initial & Waiter)
    for (const Expr *Suspension : Body.suspensions())
      Moves.try_emplace(Suspension, Place((M.Initial & Pool) | Loop));
  M.Moves = !Moves.empty();
  M.AtExit = M.Initial;
  if (!M.Moves) {
    M.Building = false;
    return M;
  }
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  if (!Cfg.valid()) {
    // Nothing is known, so nothing shall be reported.
    M.Initial = M.AtExit = Pool;
    M.Moves = M.Building = false;
    return M;
  }
  // The handlers that may receive an exception from within a statement.
  auto HandlersOf = [&](const Stmt *S) {
    llvm::SmallVector<const CFGBlock *, 2> Blocks;
    for (const Stmt *P = Body.parent(S); P; S = P, P = Body.parent(P))
      if (const auto *Try = dyn_cast<CXXTryStmt>(P);
          Try && S == Try->getTryBlock())
        for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
          if (const CFGBlock *B = Cfg.handlerBlock(Try->getHandler(I)))
            Blocks.push_back(B);
    return Blocks;
  };
  llvm::DenseMap<const CFGBlock *, unsigned char> In;
  llvm::SmallVector<const CFGBlock *, 16> Pending;
  auto Flow = [&](const CFGBlock *To, unsigned char State) {
    unsigned char &Slot = In[To];
    if ((Slot | State) == Slot)
      return;
    Slot |= State;
    Pending.push_back(To);
  };
  Flow(&Cfg.graph().getEntry(), M.Initial);
  while (!Pending.empty()) {
    const CFGBlock *Block = Pending.pop_back_val();
    unsigned char State = In[Block];
    for (const CFGElement &Element : *Block) {
      auto Statement = Element.getAs<CFGStmt>();
      if (!Statement)
        continue;
      const Stmt *S = Statement->getStmt();
      M.Before[S] |= State;
      unsigned char After = State;
      if (auto To = Moves.find(S); To != Moves.end())
        After = To->second;
      for (const CFGBlock *Handler : HandlersOf(S))
        Flow(Handler, State | After);
      State = After;
    }
    for (const CFGBlock *Next : Block->succs())
      if (Next)
        Flow(Next, State);
  }
  M.AtExit = In[&Cfg.graph().getExit()];
  M.Building = false;
  return M;
}

unsigned char ExecutionContext::placeAt(const FunctionBody &Body,
                                        const Stmt *S) {
  Migration &M = migration(Body);
  if (!M.Moves)
    return M.Initial;
  for (; S; S = Body.parent(S))
    if (auto Found = M.Before.find(S); Found != M.Before.end())
      return Found->second;
  return Loop;
}

bool ExecutionContext::onPool(const FunctionBody &Body, const Stmt *S) {
  return Body.isCoroutine() && !(placeAt(Body, S) & Loop);
}

} // namespace async_tidy
