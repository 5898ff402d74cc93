//===--- UnboundedAwaitCheck.cpp ------------------------------------------===//

#include "UnboundedAwaitCheck.h"
#include "TimeText.h"
#include "analysis/DeafWork.h"
#include "analysis/Limits.h"
#include "analysis/Tokens.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

UnboundedAwaitCheck::UnboundedAwaitCheck(StringRef Name,
                                         ClangTidyContext *Context)
    : AsyncCheck(Name, Context), IoFunctions(utils::options::parseStringList(
                                     Options.get("IoFunctions", ""))),
      AllowedFunctions(utils::options::parseStringList(
          Options.get("AllowedFunctions", ""))) {}

void UnboundedAwaitCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "IoFunctions",
                utils::options::serializeStringList(IoFunctions));
  Options.store(Opts, "AllowedFunctions",
                utils::options::serializeStringList(AllowedFunctions));
}

/// Who waits for the next client waits as long as it takes.
static bool waitsForClients(const FunctionDecl &F) {
  if (!F.getIdentifier())
    return false;
  std::string Name = F.getName().lower();
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  std::string Class = Method ? Method->getParent()->getNameAsString() : "";
  return (StringRef(Name).contains("accept") ||
          StringRef(Name).contains("listen") ||
          StringRef(Name).contains("connection")) &&
         // A handshake with one client is called so, too.
         !StringRef(Class).contains_insensitive("stream");
}

bool UnboundedAwaitCheck::isIo(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || isNamed(*F, AllowedFunctions) || waitsForClients(*F))
    return false;
  return isNamed(*F, IoFunctions) || roles().find(Call, Role::ExternalIo);
}

/// A limit, deadline or token reaches \p Io, a part of what is awaited.
bool UnboundedAwaitCheck::isBounded(const FunctionBody &Body,
                                    const Expr *Awaited, const Expr *Io) {
  Limits &All = analyses().get<Limits>();
  for (const Limit &L : All.limitsIn(Body, Awaited))
    if (llvm::is_contained(argumentsOf(*Io), L.At) ||
        llvm::any_of(L.Work, [&](const Expr *Work) {
          return Body.contains(Work, Io) ||
                 All.resolve(Body, Work) == stripped(Io);
        }))
      return true;
  if (!All.enclosing(Body, Io).empty())
    return true;
  DeafWorks &Hearing = analyses().get<DeafWorks>();
  if (Hearing.isToldToStop(Io))
    return true;
  // What is around it may end it as well: another arm of a race.
  for (const Stmt *P = Body.parent(Io); P && isa<Expr>(P) && !isSuspension(*P);
       P = Body.parent(P)) {
    const auto *Around = cast<Expr>(P);
    if (!isa<CallExpr>(Around) || roles().find(Around, Role::Gather))
      continue;
    for (const Expr *Arg : argumentsOf(*Around))
      if (!Body.contains(Arg, Io) && Hearing.isToldToStop(Arg))
        return true;
  }
  return false;
}

/// Something beside the awaits of \p Body ends them all.
bool UnboundedAwaitCheck::isBoundedAsAWhole(const FunctionBody &Body) {
  Limits &All = analyses().get<Limits>();
  if (roles().find(&Body.function(), Role::Budgeted) ||
      isNamed(Body.function(), AllowedFunctions) ||
      isNamedAsTidyingUp(Body.function()) ||
      All.isLimitedByCallers(Body.function()))
    return true;
  for (const Stmt *S : Body.statements()) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      continue;
    // A callback that is told to stop, and passes it on.
    if (roles().findType(E->getType(), Role::Registration))
      return true;
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (!F || !F->getIdentifier())
      continue;
    // A timer whose handler acts beside the coroutine.
    if (roles().find(Call, Role::TimerWait) &&
        llvm::any_of(argumentsOf(*Call), [](const Expr *A) {
          return isa<LambdaExpr>(stripped(A));
        }))
      return true;
    // A stream or client that was told its limits: `stream.expires_after(5s)`.
    if (!roles().find(Call, Role::TimerSetup) &&
        !roles().find(Call, Role::Timeout) &&
        (F->getName().contains_insensitive("expires") ||
         F->getName().contains_insensitive("timeout")) &&
        !isAwaitableType(Call->getType(), analyses().ast()) &&
        !argumentsOf(*Call).empty())
      return true;
  }
  return false;
}

void UnboundedAwaitCheck::checkFunction(const FunctionBody &Body) {
  Limits &All = analyses().get<Limits>();
  std::optional<bool> Whole;
  for (const Expr *Await : Body.suspensions()) {
    const Expr *Operand = suspensionOperand(*Await);
    const Expr *Awaited = All.resolve(Body, Operand);
    const Expr *Io = nullptr, *Race = nullptr;
    walkWritten(Awaited, [&](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      if (!E || Io || isSuspension(S))
        return false;
      if (roles().find(E, Role::Race))
        Race = E;
      if (isIo(*E) && !isBounded(Body, Operand, E))
        Io = E;
      return !Io;
    });
    if (!Io || roles().find(Awaited, Role::BestEffort))
      continue;
    if (!Whole)
      Whole = isBoundedAsAWhole(Body);
    if (*Whole || !firstReportAt(Await->getBeginLoc()))
      continue;
    if (Race)
      diag(Await->getBeginLoc(),
           "%0 may never answer, and no arm of this race is a timer")
          << calleeText(Io);
    else
      diag(Await->getBeginLoc(), "%0 may never answer: no limit, deadline or "
                                 "token reaches this await")
          << calleeText(Io);
  }
}

} // namespace clang::tidy::async
