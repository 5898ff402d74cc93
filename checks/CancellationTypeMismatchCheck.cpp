//===--- CancellationTypeMismatchCheck.cpp --------------------------------===//

#include "CancellationTypeMismatchCheck.h"
#include "analysis/Callables.h"
#include "analysis/Limits.h"

using namespace async_tidy;

namespace clang::tidy::async {

/// How far filters are looked for in the coroutines that are awaited.
static constexpr unsigned MaxDepth = 3;
/// Listens to everything.
static constexpr unsigned Everything = ~0U;

bool CancellationTypeMismatchCheck::wantsPlainFunction(const FunctionDecl &F) {
  return analyses().ast().getSourceManager().isWrittenInMainFile(
      F.getLocation());
}

void CancellationTypeMismatchCheck::checkFunction(const FunctionBody &Body) {
  for (const Stmt *S : Body.statements()) {
    const auto *Call = dyn_cast<CallExpr>(S);
    if (!Call)
      continue;
    if (const Entry *Spawn = roles().find(Call, Role::Spawn);
        Spawn && Spawn->Level)
      checkTimeouts(Body, *Call);
    else if (roles().find(Call, Role::CancellationRequest))
      checkSignal(Body, *Call);
  }
}

/// The expression that \p E, a reference to a local constant, stands for.
static const Expr *valueOf(const Expr *E) {
  E = stripped(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->getInit() && Var->getType().isConstQualified())
      return Var->getInit();
  return E;
}

const Expr *CancellationTypeMismatchCheck::requested(const Expr &E) {
  const Expr *Hardest = nullptr;
  unsigned Level = Everything;
  walkWritten(valueOf(&E), [&](const Stmt &S) {
    const auto *Part = dyn_cast<Expr>(&S);
    const Entry *Known =
        Part ? roles().find(Part, Role::CancellationLevel) : nullptr;
    if (Known && Known->Owner && *Known->Level < Level) {
      Hardest = Part;
      Level = *Known->Level;
    }
    // What is computed elsewhere may be anything.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S);
        Ref && isa<VarDecl>(Ref->getDecl())) {
      Hardest = nullptr;
      Level = 0;
    }
    return true;
  });
  return Hardest;
}

std::optional<unsigned>
CancellationTypeMismatchCheck::filterIn(const FunctionBody &Body,
                                        unsigned Depth) {
  auto Inside = [&](const Expr *Operand) -> std::optional<unsigned> {
    const auto *Call = dyn_cast_or_null<CallExpr>(stripped(Operand));
    const FunctionBody *Callee =
        Call && Depth < MaxDepth ? coroutines().body(Call->getDirectCallee())
                                 : nullptr;
    return Callee ? filterIn(*Callee, Depth + 1) : std::nullopt;
  };
  if (!Body.isCoroutine()) {
    for (const Stmt *S : Body.statements())
      if (const auto *Return = dyn_cast<ReturnStmt>(S);
          Return && Return->getRetValue())
        if (std::optional<unsigned> Found = Inside(Return->getRetValue()))
          return Found;
    return std::nullopt;
  }
  std::optional<unsigned> Filter;
  for (const Expr *Await : Body.suspensions()) {
    const Expr *Operand = stripped(suspensionOperand(*Await));
    if (!Operand)
      continue;
    if (!roles().find(Operand, Role::Immediate)) {
      // One that is set after the last wait is of no use.
      if (Filter)
        return Filter;
      if (std::optional<unsigned> Found = Inside(Operand))
        return Found;
      continue;
    }
    auto Args = argumentsOf(*Operand);
    if (Args.empty() || Args[0]->getType()->isBooleanType())
      continue;
    unsigned Level = 0;
    walkWritten(valueOf(Args[0]), [&](const Stmt &S) {
      if (const auto *Part = dyn_cast<Expr>(&S))
        if (const Entry *Known = roles().find(Part, Role::CancellationFilter);
            Known && Known->Level)
          Level = std::max(Level, *Known->Level);
      return true;
    });
    // A filter of the user's own, or one that listens to nothing on purpose.
    Filter = Level ? Level : Everything;
  }
  return std::nullopt;
}

unsigned CancellationTypeMismatchCheck::listens(const FunctionBody &Body,
                                                const Expr &Spawn) {
  const Entry *Model = roles().find(&Spawn, Role::Spawn);
  const Expr *Work = roles().argument(Spawn, Model->Awaitable);
  if (!Work)
    Work = roles().argument(Spawn, Model->Callable);
  if (!Work)
    return Everything;
  // A coroutine in a variable is the call that made it.
  const Expr *Value = analyses().get<Limits>().resolve(Body, Work);
  const FunctionDecl *Started = calledBy(*Value);
  if (!Started)
    if (const auto *Call = dyn_cast<CallExpr>(Value)) {
      Started = Call->getDirectCallee();
      // `[&]() -> awaitable<void> { … }()`
      if (const Expr *Object = objectOf(*Call))
        if (const FunctionDecl *Operator = calledBy(*stripped(Object)))
          Started = Operator;
    }
  // What it starts is not in sight.
  if (!Started)
    return Everything;
  const FunctionBody *Inside = coroutines().body(Started);
  std::optional<unsigned> Filter = Inside ? filterIn(*Inside, 0) : std::nullopt;
  return Filter.value_or(*Model->Level);
}

void CancellationTypeMismatchCheck::checkTimeouts(const FunctionBody &Body,
                                                  const Expr &Spawn) {
  const Entry *Model = roles().find(&Spawn, Role::Spawn);
  const Expr *Token = roles().argument(Spawn, Model->Token);
  if (!Token)
    return;
  walkWritten(Token, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E || !roles().find(E, Role::TimeoutToken))
      return true;
    for (const Expr *Arg : argumentsOf(*E))
      if (const Expr *Constant = requested(*Arg)) {
        const Entry *Request = roles().find(Constant, Role::CancellationLevel);
        unsigned Listens = listens(Body, Spawn);
        if (*Request->Level > Listens)
          report(Body.isWritten(Constant) ? *Constant : *Arg, *Request, Listens,
                 Spawn, /*Timeout=*/true);
        return true;
      }
    return true;
  });
}

namespace {
/// What a signal is connected to, all over a function or class.
struct SignalUses {
  const ValueDecl &Signal;
  const SymbolRoles &Roles;
  llvm::SmallVector<const CallExpr *, 2> Spawns;
  bool Other = false;

  /// \p Spawn is the call that starts a coroutine with \p S as its token.
  void collect(const Stmt *S, const CallExpr *Spawn) {
    if (!S)
      return;
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const Expr *Object = objectOf(*Call);
      if (Object && isSignal(Object)) {
        if (!Roles.find(Call, Role::CancellationRequest)) {
          if (Spawn)
            Spawns.push_back(Spawn);
          else
            Other = true;
        }
        return;
      }
      const Entry *Starts = Roles.find(Call, Role::Spawn);
      const Expr *Token =
          Starts ? Roles.argument(*Call, Starts->Token) : nullptr;
      if (Token) {
        collect(Call->getCallee(), Spawn);
        for (const Expr *Arg : Call->arguments())
          collect(Arg, stripped(Arg) == stripped(Token) ? Call : Spawn);
        return;
      }
    }
    if (const auto *E = dyn_cast<Expr>(S); E && isSignal(E))
      Other = true;
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      // Capturing is not connecting.
      return collect(Lambda->getBody(), nullptr);
    }
    for (const Stmt *Child : S->children())
      collect(Child, Spawn);
  }

  /// All functions of the main file.
  void collectAll(const DeclContext &Scope) {
    for (const Decl *D : Scope.decls()) {
      if (!Roles.context().getSourceManager().isWrittenInMainFile(
              D->getLocation()))
        continue;
      if (const auto *F = dyn_cast<FunctionDecl>(D)) {
        if (F->doesThisDeclarationHaveABody())
          collect(F->getBody(), nullptr);
      } else if (const auto *Inner = dyn_cast<DeclContext>(D)) {
        collectAll(*Inner);
      }
    }
  }

private:
  bool isSignal(const Expr *E) const {
    E = stripped(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl() == &Signal;
    const auto *Member = dyn_cast<MemberExpr>(E);
    return Member && Member->getMemberDecl() == &Signal;
  }
};
} // namespace

void CancellationTypeMismatchCheck::checkSignal(const FunctionBody &Body,
                                                const Expr &Call) {
  const Expr *Object = objectOf(Call);
  if (!Object || argumentsOf(Call).empty() ||
      !roles().findType(stripped(Object)->getType(), Role::Source))
    return;
  const Expr *Constant = requested(*argumentsOf(Call)[0]);
  if (!Constant)
    return;
  const Entry *Request = roles().find(Constant, Role::CancellationLevel);
  Object = stripped(Object);
  const ValueDecl *Signal = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Object))
    Signal = Ref->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(Object))
    Signal = Member->getMemberDecl();
  if (!Signal || *Request->Level == 1 || Signal->getType()->isReferenceType())
    return;
  SignalUses Uses{*Signal, roles(), {}};
  if (const auto *Field = dyn_cast<FieldDecl>(Signal)) {
    const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
    if (!Class)
      return;
    if (Field->getAccess() == AS_public) {
      // Anybody may connect it; of a class of this very file all are in sight.
      ASTContext &Ctx = analyses().ast();
      if (!Ctx.getSourceManager().isWrittenInMainFile(Class->getLocation()))
        return;
      Uses.collectAll(*Ctx.getTranslationUnitDecl());
    }
    for (const CXXMethodDecl *M : Class->methods()) {
      const FunctionDecl *Definition = nullptr;
      if (!M->hasBody(Definition) && M->isUserProvided())
        return; // it may connect it to anything
      if (Definition)
        Uses.collect(Definition->getBody(), nullptr);
    }
  } else if (const auto *Var = dyn_cast<VarDecl>(Signal);
             Var && Var->isLocalVarDecl()) {
    const auto *Function = dyn_cast<FunctionDecl>(Var->getDeclContext());
    if (Function && Function->hasBody())
      Uses.collect(Function->getBody(), nullptr);
  }
  if (Uses.Other || Uses.Spawns.empty())
    return;
  unsigned Listens = 0;
  for (const CallExpr *Spawn : Uses.Spawns) {
    const Entry *Model = roles().find(Spawn, Role::Spawn);
    Listens =
        std::max(Listens, Model->Level ? listens(Body, *Spawn) : Everything);
  }
  if (*Request->Level > Listens)
    report(*Constant, *Request, Listens, *Uses.Spawns.front(),
           /*Timeout=*/false);
}

void CancellationTypeMismatchCheck::report(const Expr &Constant,
                                           const Entry &Request,
                                           unsigned Listens, const Expr &Spawn,
                                           bool Timeout) {
  if (!firstReportAt(Constant.getBeginLoc()))
    return;
  auto LastName = [](StringRef Name) { return Name.rsplit("::").second; };
  StringRef Heard;
  for (const Entry &En : Request.Owner->Entries)
    if (En.Kind == Role::CancellationLevel && *En.Level == Listens &&
        Heard.empty())
      Heard = LastName(En.Name);
  StringRef Sent = LastName(Request.Name);
  {
    auto Diag =
        diag(Constant.getBeginLoc(),
             Timeout ? "this timeout never ends the coroutine, which does not "
                       "listen to '%0' requests; the mildest it listens to is "
                       "'%1'"
                     : "this request is dropped: the coroutine does not listen "
                       "to '%0' requests; the mildest it listens to is '%1'")
        << Sent << Heard;
    const auto *Ref = dyn_cast<DeclRefExpr>(&Constant);
    if (Ref && isa<EnumConstantDecl>(Ref->getDecl()) &&
        !Ref->getLocation().isMacroID())
      Diag << FixItHint::CreateReplacement(
          CharSourceRange::getTokenRange(Ref->getLocation(),
                                         Ref->getLocation()),
          Heard);
  }
  diag(Spawn.getBeginLoc(),
       "it is started here, and sets no filter that lets milder requests "
       "through before it waits",
       DiagnosticIDs::Note);
}

} // namespace clang::tidy::async
