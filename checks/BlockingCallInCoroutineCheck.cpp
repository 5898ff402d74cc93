//===--- BlockingCallInCoroutineCheck.cpp ---------------------------------===//

#include "BlockingCallInCoroutineCheck.h"
#include "BlockingMessages.h"
#include "analysis/Readiness.h"
#include "analysis/TestCode.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace async_tidy;

namespace clang::tidy::async {

/// The categories with the defaults of their switches.
static constexpr std::pair<BlockingCategory, bool> Switches[] = {
    {BlockingCategory::Sleep, true},   {BlockingCategory::Sync, true},
    {BlockingCategory::Mutex, false},  {BlockingCategory::Future, true},
    {BlockingCategory::Process, true}, {BlockingCategory::Net, true},
    {BlockingCategory::Dns, true},     {BlockingCategory::Db, true},
    {BlockingCategory::Fs, true},      {BlockingCategory::FsMetadata, false},
    {BlockingCategory::Stdio, true},   {BlockingCategory::Cpu, false},
};

/// "fs-metadata" is switched by the option "FsMetadata".
static std::string optionName(BlockingCategory C) {
  std::string Name;
  bool Upper = true;
  for (char Ch : categoryName(C)) {
    if (Ch != '-')
      Name += Upper ? llvm::toUpper(Ch) : Ch;
    Upper = Ch == '-';
  }
  return Name;
}

// Tests sleep and wait on purpose. Folders do not count: whole projects lie in
// one called "test".
static constexpr StringRef DefaultTestFiles =
    "(^|/)test_[^/]*$|(_test|_tests|_unittest|Test|Tests)[.][a-z+]+$";

static void addNames(StringRef List, llvm::StringSet<> &Names) {
  llvm::SmallVector<StringRef, 4> Parts;
  List.split(Parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim();
    Part.consume_front("::");
    Names.insert(Part);
  }
}

BlockingCallInCoroutineCheck::BlockingCallInCoroutineCheck(
    StringRef Name, ClangTidyContext *Context)
    : AsyncCheck(Name, Context),
      ExtraBlocking(Options.get("ExtraBlocking", "")),
      OffloadFunctions(Options.get("OffloadFunctions", "")),
      SchedulersAllowed(Options.get("SchedulersAllowed", "")),
      MaxChain(Options.get("MaxChain", 5U)),
      TestFileRegex(Options.get("TestFileRegex", DefaultTestFiles)) {
  Policy.Categories.reset();
  for (auto [Category, Default] : Switches)
    Policy.Categories[unsigned(Category)] =
        Options.get(optionName(Category), Default);
  Policy.TrustNonblocking = Options.get("TrustNonblocking", true);
  addNames(OffloadFunctions, Policy.Offloads);
  addNames(SchedulersAllowed, Policy.Pools);
  parseExtraBlocking();
}

void BlockingCallInCoroutineCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  for (auto [Category, Default] : Switches)
    Options.store(Opts, optionName(Category),
                  bool(Policy.Categories[unsigned(Category)]));
  Options.store(Opts, "TrustNonblocking", Policy.TrustNonblocking);
  Options.store(Opts, "ExtraBlocking", ExtraBlocking);
  Options.store(Opts, "OffloadFunctions", OffloadFunctions);
  Options.store(Opts, "SchedulersAllowed", SchedulersAllowed);
  Options.store(Opts, "MaxChain", MaxChain);
  Options.store(Opts, "TestFileRegex", TestFileRegex);
}

void BlockingCallInCoroutineCheck::parseExtraBlocking() {
  llvm::SmallVector<StringRef, 4> Parts;
  StringRef(ExtraBlocking).split(Parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    llvm::SmallVector<StringRef, 3> Fields;
    Part.trim().split(Fields, '=', 2);
    std::optional<BlockingCategory> Category =
        Fields.size() > 1 ? parseCategory(Fields[1].trim()) : std::nullopt;
    StringRef Name = Fields[0].trim();
    Name.consume_front("::");
    if (!Category || Name.empty()) {
      configurationDiag("option ExtraBlocking: '%0' is not of the form "
                        "name=category=replacement; categories are %1")
          << Part.trim() << categoryNames();
      continue;
    }
    Entry E;
    E.Kind = Role::Blocking;
    E.Name = Name.str();
    E.Category = Category;
    if (Fields.size() > 2)
      E.Replacement[""] = Fields[2].trim().str();
    Policy.Extra.emplace(E.Name, std::move(E));
  }
}

/// A generator that is only iterated runs on its consumer's thread and cannot
/// await: no event loop waits for it.
static bool isSynchronousGenerator(const FunctionBody &Body, ASTContext &Ctx) {
  if (Body.suspensions().empty() ||
      llvm::any_of(Body.suspensions(), [](const Expr *Suspension) {
        return !isa<CoyieldExpr>(Suspension);
      }))
    return false;
  const CXXRecordDecl *RD =
      Body.function().getReturnType()->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition())
    return false;
  auto Has = [&](StringRef Name) {
    return RD->hasMemberName(DeclarationName(&Ctx.Idents.get(Name)));
  };
  return (Has("begin") || Has("next")) && !Has("await_resume") &&
         !RD->hasMemberName(
             Ctx.DeclarationNames.getCXXOperatorName(OO_Coawait)) &&
         !llvm::any_of(RD->methods(), [&](const CXXMethodDecl *M) {
           return M->getIdentifier() &&
                  (M->getName() == "begin" || M->getName() == "next") &&
                  isAwaitableType(M->getReturnType(), Ctx);
         });
}

void BlockingCallInCoroutineCheck::checkFunction(const FunctionBody &Body) {
  if (!Summary || SummaryOf != &analyses()) {
    Summary = std::make_unique<BlockingSummary>(analyses(), Policy);
    SummaryOf = &analyses();
  }
  if (isSynchronousGenerator(Body, analyses().ast()))
    return;
  std::vector<Finding> Findings;
  collect(Body, Body.function(), nullptr, Findings);
  llvm::erase_if(Findings, [&](const Finding &F) { return isExempt(Body, F); });
  keepOnePerFault(Body, Findings);
  for (const Finding &F : Findings)
    if (firstReportAt(F.Chain.front()->Loc))
      report(Body, F);
}

void BlockingCallInCoroutineCheck::collect(const FunctionBody &Body,
                                           const FunctionDecl &In,
                                           const Finding *Outer,
                                           std::vector<Finding> &Out) {
  for (const BlockingStep &Step : Summary->steps(In)) {
    Finding F;
    F.Where = Outer ? Outer->Where : Step.Where;
    if (Outer)
      F.Lambdas = Outer->Lambdas;
    if (Step.Inline && F.Lambdas.size() < MaxChain) {
      F.Lambdas.push_back(&Step);
      collect(Body, *Step.Callee, &F, Out);
      continue;
    }
    F.Chain = Summary->chain(Step);
    // The call itself is no hop of the chain.
    if (!F.Chain.empty() && F.Chain.size() <= MaxChain + 1)
      Out.push_back(std::move(F));
  }
}

/// The lambda that \p Run calls is kept in the object that this makes.
static bool isGuard(const BlockingStep &Run) {
  const auto *E = dyn_cast_or_null<Expr>(Run.Where);
  const auto *Keeper = E ? dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                               E->getType()->getAsCXXRecordDecl())
                         : nullptr;
  return Keeper &&
         llvm::any_of(Keeper->getTemplateArgs().asArray(),
                      [&](const TemplateArgument &Arg) {
                        return Arg.getKind() == TemplateArgument::Type &&
                               Arg.getAsType()->getAsCXXRecordDecl() ==
                                   Run.Inline->getLambdaClass();
                      });
}

/// \p Where is reached only when the coroutine has found that it has no
/// executor, `if (!executor)`, so that it holds up no event loop.
static bool runsWithoutLoop(const FunctionBody &Body, const Stmt *Where,
                            const SymbolRoles &Roles) {
  auto IsExecutor = [&](const Expr *E) {
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E ? stripped(E) : nullptr);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const Expr *Init = Var ? Var->getInit() : nullptr;
    if (!Init || !Var->getType()->isPointerType())
      return false;
    auto Awaits = suspensionsIn(Init);
    if (Awaits.size() != 1)
      return false;
    const Expr *Operand = stripped(suspensionOperand(*Awaits.front()));
    return Operand && (Roles.find(Operand, Role::Immediate) ||
                       Roles.findType(Operand->getType(), Role::Immediate));
  };
  for (const Stmt *S = Where, *P = Body.parent(S); P;
       S = P, P = Body.parent(P)) {
    const auto *If = dyn_cast<IfStmt>(P);
    if (!If || If->getThen() != S || !If->getCond())
      continue;
    const Expr *Cond = stripped(If->getCond());
    if (const auto *Not = dyn_cast<UnaryOperator>(Cond);
        Not && Not->getOpcode() == UO_LNot && IsExecutor(Not->getSubExpr()))
      return true;
    if (const auto *Equal = dyn_cast<BinaryOperator>(Cond);
        Equal && Equal->getOpcode() == BO_EQ &&
        (isa<CXXNullPtrLiteralExpr>(stripped(Equal->getRHS())) &&
         IsExecutor(Equal->getLHS())))
      return true;
  }
  return false;
}

bool BlockingCallInCoroutineCheck::isExempt(const FunctionBody &Body,
                                            const Finding &F) {
  const BlockingStep &First = *F.Chain.front(), &Last = *F.Chain.back();
  BlockingCategory Category =
      Last.Leaf->Category.value_or(BlockingCategory::Sync);
  // An awaiter resumes once what it waits for is done, and only takes it then.
  const bool IsWait =
      Last.Leaf->Kind == Role::SyncWait || Category == BlockingCategory::Future;
  if ((IsWait || Category == BlockingCategory::Sync) &&
      llvm::any_of(F.Chain, [](const BlockingStep *Step) {
        return Step->Callee && Step->Callee->getIdentifier() &&
               Step->Callee->getName() == "await_resume";
      }))
    return true;
  if (runsWithoutLoop(Body, F.Where, roles()))
    return true;
  if (!IsWait && analyses().get<TestCode>().contains(Body.function()))
    return true;
  if (!TestFileRegex.empty() && !IsWait) {
    const SourceManager &SM = analyses().ast().getSourceManager();
    if (llvm::Regex(TestFileRegex)
            .match(SM.getFilename(SM.getFileLoc(First.Loc))))
      return true;
  }
  // A helper's caller may be who knows that the socket does not block.
  if (Category == BlockingCategory::Net && F.Chain.size() > 1 &&
      usedNonBlocking(roles(), Body, nullptr))
    return true;
  // A helper waits for a future it was given, which its caller knows is ready.
  if (F.Chain.size() == 2 && Category == BlockingCategory::Future &&
      F.Lambdas.empty())
    if (const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Last.Object))
      if (const auto *Call = dyn_cast_or_null<CallExpr>(First.Where)) {
        unsigned I = Parameter->getFunctionScopeIndex();
        auto Args = argumentsOf(*Call);
        if (I < Args.size() && isProvenReady(analyses(), Body, Args[I], Call))
          return true;
      }
  // A variable is destroyed where its block ends.
  const Stmt *Where = F.Where;
  if (First.How == BlockingStep::Destruction ||
      First.How == BlockingStep::Result ||
      (!F.Lambdas.empty() && isGuard(*F.Lambdas.front())))
    if (const auto *Block = Body.enclosing<CompoundStmt>(F.Where))
      Where = Block->body_back();
  return Summary->execution().onPool(Body, Where);
}

void BlockingCallInCoroutineCheck::keepOnePerFault(
    const FunctionBody &Body, std::vector<Finding> &Findings) {
  auto IsWait = [](const Finding &F) {
    return F.Chain.back()->Leaf->Kind == Role::SyncWait;
  };
  auto IsFile = [](const Finding &F) {
    return F.Chain.back()->Leaf->Category == BlockingCategory::Fs;
  };
  // What is opened by a reported call; using it then is the same fault.
  llvm::DenseSet<const ValueDecl *> Opened;
  // The finding of each statement; a deadlock is worse than a delay.
  llvm::DenseMap<const Stmt *, size_t> Statements;
  std::vector<Finding> Kept;
  for (Finding &F : Findings) {
    const BlockingStep &First = *F.Chain.front();
    if (!F.Lambdas.empty()) {
      Kept.push_back(std::move(F));
      continue;
    }
    const Stmt *Statement = First.Where;
    const VarDecl *Made = nullptr;
    for (const Stmt *P = Statement; P && !isa<CompoundStmt>(P);
         Statement = P, P = Body.parent(P)) {
      if (const auto *Decls = dyn_cast<DeclStmt>(P))
        if (Decls->isSingleDecl())
          Made = dyn_cast<VarDecl>(Decls->getSingleDecl());
      if (!isa<Expr, DeclStmt>(P))
        break;
    }
    if (IsFile(F)) {
      bool Used = First.Object && Opened.contains(First.Object);
      if (const auto *E = dyn_cast_or_null<Expr>(First.Where))
        for (const Expr *Arg : argumentsOf(*E))
          if (const ValueDecl *Root = rootOf(Arg))
            Used |= Opened.contains(Root);
      if (Made)
        Opened.insert(Made);
      if (First.Object)
        Opened.insert(First.Object);
      if (Used)
        continue;
    }
    auto [At, New] = Statements.try_emplace(Statement, Kept.size());
    if (New)
      Kept.push_back(std::move(F));
    else if (IsWait(F) && !IsWait(Kept[At->second]))
      Kept[At->second] = std::move(F);
  }
  Findings = std::move(Kept);
}

void BlockingCallInCoroutineCheck::report(const FunctionBody &Body,
                                          const Finding &F) {
  const SourceManager &SM = analyses().ast().getSourceManager();
  const Library *Library = coroutines().library(Body.function());
  SourceLocation Loc = SM.getFileLoc(F.Chain.front()->Loc);
  {
    auto Diag = diag(Loc, "%0");
    Diag << blockingMessage(F.Chain, Library);
    if (FixItHint Hint = fix(Body, F, Library); !Hint.isNull())
      Diag << Hint;
  }
  for (const BlockingStep *Run : llvm::reverse(F.Lambdas))
    diag(SM.getFileLoc(Run->Loc),
         "the lambda runs %select{here, before the coroutine goes on|when this "
         "guard is destroyed, at the end of its scope}0",
         DiagnosticIDs::Note)
        << isGuard(*Run);
  for (size_t I = 1; I < F.Chain.size(); ++I)
    diag(SM.getFileLoc(F.Chain[I]->Loc), "%0", DiagnosticIDs::Note)
        << hopMessage(*F.Chain[I - 1], *F.Chain[I]);
  auto [First, Keyword] = firstCoroutineKeyword(Body);
  if (First.isValid())
    diag(SM.getFileLoc(First), "'%0' is a coroutine because of this '%1'",
         DiagnosticIDs::Note)
        << displayName(Body.function()) << Keyword;
}

FixItHint
BlockingCallInCoroutineCheck::fix(const FunctionBody &Body, const Finding &F,
                                  const async_tidy::Library *Library) {
  const BlockingStep &Step = *F.Chain.front();
  if (!Library || !Step.Leaf || !F.Lambdas.empty() ||
      Step.How != BlockingStep::Call)
    return {};
  auto Code = Step.Leaf->ReplacementCode.find(Library->Id);
  if (Code == Step.Leaf->ReplacementCode.end())
    return {};
  return replaceCall(*Step.LeafCall, Code->second, Body, analyses().ast());
}

} // namespace clang::tidy::async
