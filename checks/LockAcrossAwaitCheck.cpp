//===--- LockAcrossAwaitCheck.cpp -----------------------------------------===//

#include "LockAcrossAwaitCheck.h"
#include "TimeText.h"
#include "analysis/Suspension.h"
#include "clang-tidy/utils/OptionsUtils.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"

using namespace async_tidy;

namespace clang::tidy::async {

static std::vector<StringRef> listOption(const ClangTidyCheck::OptionsView &O,
                                         StringRef Name) {
  return utils::options::parseStringList(O.get(Name, ""));
}

LockAcrossAwaitCheck::LockAcrossAwaitCheck(StringRef Name,
                                           ClangTidyContext *Context)
    : AsyncCheck(Name, Context), LockTypes(listOption(Options, "LockTypes")),
      LockGuards(listOption(Options, "LockGuards")),
      AsyncLockTypes(listOption(Options, "AsyncLockTypes")),
      AllowedAwaitables(listOption(Options, "AllowedAwaitables")),
      AllowedCallees(listOption(Options, "AllowedCallees")),
      CoYield(Options.get("CoYield", true)),
      CoReturn(Options.get("CoReturn", false)),
      AssumeSingleThreaded(Options.get("AssumeSingleThreaded", false)) {}

void LockAcrossAwaitCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  for (const auto &[Name, List] : {std::pair("LockTypes", &LockTypes),
                                   {"LockGuards", &LockGuards},
                                   {"AsyncLockTypes", &AsyncLockTypes},
                                   {"AllowedAwaitables", &AllowedAwaitables},
                                   {"AllowedCallees", &AllowedCallees}})
    Options.store(Opts, Name, utils::options::serializeStringList(*List));
  Options.store(Opts, "CoYield", CoYield);
  Options.store(Opts, "CoReturn", CoReturn);
  Options.store(Opts, "AssumeSingleThreaded", AssumeSingleThreaded);
}

AsyncCheck::NamesByRole LockAcrossAwaitCheck::modelFromOptions() const {
  return {{"lock", LockTypes},
          {"lock-guard", LockGuards},
          {"async-lock", AsyncLockTypes}};
}

bool LockAcrossAwaitCheck::isAllowed(const FunctionBody &Body,
                                     const Expr &Suspension) {
  const Expr *Operand = suspensionOperand(Suspension);
  if (!Operand)
    return false;
  Operand = stripped(Operand);
  bool Yields = isa<CoyieldExpr>(Suspension);
  // `co_yield co_error(...)` ends the coroutine.
  if (Yields && (!CoYield || roles().find(Operand, Role::CancellationRaise) ||
                 roles().findType(Operand->getType(), Role::CancellationRaise)))
    return true;
  const auto *Class =
      Operand->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (Class && llvm::is_contained(AllowedAwaitables, canonicalName(*Class)))
    return true;
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(*Operand));
  if (Callee && isNamed(*Callee, AllowedCallees))
    return true;
  return !Yields && neverSuspends(analyses(), Body, Suspension);
}

void LockAcrossAwaitCheck::checkFunction(const FunctionBody &Body) {
  if (AssumeSingleThreaded)
    return;
  auto &Locks = analyses().get<HeldLocks>();
  // The first suspension under each lock stands for all of them.
  llvm::MapVector<const Stmt *, Sites> Findings;
  llvm::DenseSet<const LockSite *> Told;
  for (const HeldLock &H : Locks.atSuspensions(Body)) {
    const auto *Suspension = cast<Expr>(H.Where);
    if (!Told.contains(H.Site) && !isAllowed(Body, *Suspension)) {
      Told.insert(H.Site);
      Findings[Suspension].push_back(H.Site);
    }
  }
  for (const auto &[Where, Held] : Findings)
    if (firstReportAt(Where->getBeginLoc()))
      report(Body, *cast<Expr>(Where), Held);
  if (!CoReturn)
    return;
  for (const HeldLock &H : Locks.atReturns(Body))
    if (Told.insert(H.Site).second && firstReportAt(H.Where->getBeginLoc()))
      reportReturn(*H.Where, *H.Site);
}

static std::string nameOf(const LockSite &Site) {
  if (!Site.Lock.empty())
    return "'" + Site.Lock + "'";
  return Site.Guard && Site.Guard->getIdentifier()
             ? "the lock of '" + Site.Guard->getName().str() + "'"
             : "a lock";
}

void LockAcrossAwaitCheck::report(const FunctionBody &Body,
                                  const Expr &Suspension, const Sites &Held) {
  const LockSite &First = *Held.front();
  std::vector<FixItHint> Closing, Opening;
  if (Held.size() == 1) {
    Closing = closeScope(Body, Suspension, First);
    if (Closing.empty())
      Opening = openMeanwhile(Body, Suspension, First);
  }
  bool Yields = isa<CoyieldExpr>(Suspension);
  {
    auto Diag =
        diag(Suspension.getBeginLoc(),
             Yields ? "%0 is held across this 'co_yield': the consumer runs "
                      "meanwhile and deadlocks if it wants it too; on another "
                      "thread it makes that thread unlock a mutex it does not "
                      "own"
                    : "%0 is held across this 'co_await': another coroutine on "
                      "this thread that wants it deadlocks; resumed on another "
                      "thread, this one unlocks a mutex that thread does not "
                      "own")
        << nameOf(First);
    for (const FixItHint &Hint : Closing)
      Diag << Hint;
  }
  for (const LockSite *Site : Held) {
    bool Received = Site->How == LockSite::Received;
    auto Note =
        diag(Site->Taken,
             Received ? "%0 comes locked from the caller" : "%0 is locked here",
             DiagnosticIDs::Note);
    Note << (Received ? "'" + Site->Guard->getName().str() + "'"
                      : nameOf(*Site));
  }
  if (const Expr *Limit =
          findWritten(suspensionOperand(Suspension), roles(), {Role::Timeout}))
    diag(Limit->getBeginLoc(),
         "the lock is held for as long as %0 allows, and while what it cancels "
         "winds up",
         DiagnosticIDs::Note)
        << calleeText(Limit);
  auto Note = diag(Suspension.getBeginLoc(), "%0", DiagnosticIDs::Note);
  Note << advice(Body);
  for (const FixItHint &Hint : Opening)
    Note << Hint;
}

void LockAcrossAwaitCheck::reportReturn(const Stmt &Return,
                                        const LockSite &Site) {
  diag(Return.getBeginLoc(),
       "%0 is still held when this coroutine ends: whoever resumes next on "
       "this thread and wants it deadlocks")
      << nameOf(Site);
  diag(Site.Taken, "%0 is locked here", DiagnosticIDs::Note) << nameOf(Site);
}

std::string LockAcrossAwaitCheck::advice(const FunctionBody &Body) {
  const Library *Own = coroutines().library(Body.function());
  for (const Library *Lib : {Own, roles().models().library("generic")})
    if (Lib)
      if (auto Other = Lib->Replacements.find(BlockingCategory::Mutex);
          Other != Lib->Replacements.end())
        return "unlock it before, or use " + Other->second;
  return "unlock it before";
}

/// The statement of a block that \p E is in.
static const Stmt *statementOf(const FunctionBody &Body, const Stmt *E) {
  while (E && !isa_and_nonnull<CompoundStmt>(Body.parent(E)))
    E = Body.parent(E);
  return E;
}

static bool isWrittenPlainly(const Stmt &S) {
  return !S.getBeginLoc().isMacroID() && !S.getEndLoc().isMacroID();
}

std::vector<FixItHint>
LockAcrossAwaitCheck::closeScope(const FunctionBody &Body,
                                 const Expr &Suspension, const LockSite &Site) {
  const Stmt *Await = statementOf(Body, &Suspension);
  const auto *Block =
      dyn_cast_or_null<CompoundStmt>(Await ? Body.parent(Await) : nullptr);
  if (Site.How != LockSite::Guarded || !Site.Guard || !Block ||
      Site.Scope != Block || Block->body_back() != Await ||
      isa<DeclStmt>(Await) || !isWrittenPlainly(*Await) ||
      suspensionsIn(Await).size() != 1)
    return {};
  // Whatever the lock may protect must not be used after it: the await may
  // only use what is this coroutine's own, and known before.
  bool Plain = true;
  const Stmt *Declared = nullptr;
  llvm::DenseSet<const ValueDecl *> Behind;
  for (const Stmt *S : Block->body())
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      if (D->isSingleDecl() && D->getSingleDecl() == Site.Guard)
        Declared = D;
      if (Declared)
        for (const Decl *Each : D->decls())
          if (const auto *V = dyn_cast<ValueDecl>(Each))
            Behind.insert(V);
    }
  unsigned Calls = 0;
  walkWritten(Await, [&](const Stmt &S) {
    // The awaited call; any other may look at what is protected.
    if (isa<CallExpr>(S) && ++Calls > 1)
      Plain = false;
    if (isa<CXXThisExpr, LambdaExpr>(S) ||
        (isa<UnaryOperator>(S) &&
         cast<UnaryOperator>(S).getOpcode() == UO_Deref))
      Plain = false;
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      Plain &= !Member->isArrow();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Plain &= Var->hasLocalStorage() && !Behind.contains(Var) &&
                 !Var->getType()->isReferenceType() &&
                 !Var->getType()->isPointerType();
    return Plain;
  });
  const Stmt *Before = nullptr;
  for (const Stmt *S : Block->body()) {
    if (S == Await)
      break;
    Before = S;
  }
  // A guard of nothing but the await is there for the await.
  if (!Plain || !Declared || Before == Declared ||
      !isWrittenPlainly(*Declared) || Body.function().isTemplateInstantiation())
    return {};
  return {FixItHint::CreateInsertion(Declared->getBeginLoc(), "{ "),
          FixItHint::CreateInsertion(Await->getBeginLoc(), "} ")};
}

std::vector<FixItHint> LockAcrossAwaitCheck::openMeanwhile(
    const FunctionBody &Body, const Expr &Suspension, const LockSite &Site) {
  const Stmt *Await = statementOf(Body, &Suspension);
  if (Site.How != LockSite::Guarded || !Site.Guard ||
      !Site.Guard->getIdentifier() || !Await || !isWrittenPlainly(*Await) ||
      !isa<Expr, DeclStmt, CoreturnStmt>(Await) ||
      suspensionsIn(Await).size() != 1)
    return {};
  const auto *Class = Site.Guard->getType()->getAsCXXRecordDecl();
  bool Locks = false, Unlocks = false;
  if (Class && Class->hasDefinition())
    for (const CXXMethodDecl *M : Class->getDefinition()->methods())
      if (M->getIdentifier() && M->getNumParams() == 0) {
        Locks |= M->getName() == "lock";
        Unlocks |= M->getName() == "unlock";
      }
  if (!Locks || !Unlocks)
    return {};
  std::string Name = Site.Guard->getName().str();
  std::vector<FixItHint> Hints = {
      FixItHint::CreateInsertion(Await->getBeginLoc(), Name + ".unlock(); ")};
  if (isa<CoreturnStmt>(Await))
    return Hints;
  const ASTContext &Ctx = analyses().ast();
  SourceLocation End = Await->getEndLoc();
  if (!isa<DeclStmt>(Await)) {
    auto Semicolon =
        Lexer::findNextToken(End, Ctx.getSourceManager(), Ctx.getLangOpts());
    if (!Semicolon || Semicolon->isNot(tok::semi))
      return {};
    End = Semicolon->getLocation();
  }
  Hints.push_back(FixItHint::CreateInsertion(End.getLocWithOffset(1),
                                             " " + Name + ".lock();"));
  return Hints;
}

} // namespace clang::tidy::async
