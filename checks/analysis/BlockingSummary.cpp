//===--- BlockingSummary.cpp ----------------------------------------------===//

#include "BlockingSummary.h"
#include "../models/BuiltinModels.h"
#include "BlockingSteps.h"

using namespace clang;

namespace async_tidy {

std::string displayName(const NamedDecl &D) {
  const auto *F = dyn_cast<FunctionDecl>(&D);
  std::string Name = canonicalName(D);
  if (const auto *MD = dyn_cast<CXXMethodDecl>(&D);
      MD && MD->getParent()->isLambda())
    return "lambda";
  return (F && F->isExternC() ? "::" : "") + Name;
}

/// What is known about one function.
struct BlockingSummary::Facts {
  std::vector<BlockingStep> List; // complete once made: addresses stay valid
  bool Clean = false;             ///< nothing that is reached from here blocks
};

BlockingSummary::BlockingSummary(AnalysisContext &Context, BlockingPolicy P)
    : Context(Context), Policy(std::move(P)), Execution(Context, Policy) {
  // Where modelled libraries live: their models, not their bodies, are asked.
  for (const auto &L : Context.roles().models().libraries()) {
    // A user's model names the project's own functions, whose bodies count.
    if (llvm::none_of(builtinModels(), [&](const BuiltinModel &M) {
          return L->File == (M.Name + ".json").str();
        }))
      continue;
    for (const Entry &E : L->Entries) {
      llvm::StringRef Scope = llvm::StringRef(E.Name).rsplit("::").first;
      if (Scope != E.Name && !Scope.contains('*'))
        LibraryScopes.push_back((Scope + "::").str());
    }
  }
  llvm::sort(LibraryScopes);
  // Of a scope and those within it, the outer one is enough.
  std::vector<std::string> Outer;
  for (std::string &Scope : LibraryScopes)
    if (Outer.empty() || !llvm::StringRef(Scope).starts_with(Outer.back()))
      Outer.push_back(std::move(Scope));
  LibraryScopes = std::move(Outer);
}

BlockingSummary::~BlockingSummary() = default;

llvm::StringRef BlockingSummary::libraryScope(const FunctionDecl &F) {
  std::string Name = canonicalName(F);
  auto After = llvm::upper_bound(LibraryScopes, Name);
  if (After == LibraryScopes.begin())
    return {};
  const std::string &Scope = *std::prev(After);
  return llvm::StringRef(Name).starts_with(Scope) ? llvm::StringRef(Scope)
                                                  : llvm::StringRef();
}

bool BlockingSummary::follows(const FunctionDecl &Callee,
                              const FunctionDecl &Caller) {
  const FunctionDecl *Definition = nullptr;
  bool HasBody = Callee.hasBody(Definition);
  // Implicit destructors run those of the members.
  if (!HasBody && !(isa<CXXDestructorDecl>(Callee) && Callee.isImplicit()))
    return false;
  if (Context.ast().getSourceManager().isInSystemHeader(Callee.getLocation()) ||
      Callee.isConsteval())
    return false;
  const Decl *D = &Callee;
  if ((Policy.TrustNonblocking && Context.roles().find(D, Role::NonBlocking)) ||
      Context.roles().find(D, Role::Logging))
    return false;
  if (HasBody && Context.get<Coroutines>().isCoroutine(&Callee))
    return false;
  // A library's own coroutines do ask about its own bodies.
  llvm::StringRef Scope = libraryScope(Callee);
  return Scope.empty() || Scope == libraryScope(Caller);
}

BlockingSummary::Facts &BlockingSummary::facts(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  F.hasBody(Definition);
  const FunctionDecl &Key = Definition ? *Definition : *F.getCanonicalDecl();
  std::unique_ptr<Facts> &Slot = Known[&Key];
  if (Slot)
    return *Slot;
  Slot = std::make_unique<Facts>();
  Facts &Made = *Slot;
  Made.List = collectBlockingSteps(
      Context, Execution, Policy, Key,
      [&](const FunctionDecl &Callee) { return follows(Callee, Key); });
  return Made;
}

llvm::ArrayRef<BlockingStep> BlockingSummary::steps(const FunctionDecl &F) {
  return facts(F).List;
}

BlockingChain BlockingSummary::chain(const BlockingStep &Step) {
  if (Step.Leaf)
    return {&Step};
  if (!Step.Callee)
    return {};
  // Breadth first, so that the chain is the shortest one.
  struct Visit {
    Facts *Of;
    const BlockingStep *By;
    int From;
  };
  std::vector<Visit> Visits;
  llvm::DenseSet<Facts *> Seen;
  auto Enter = [&](const FunctionDecl &F, const BlockingStep *By, int From) {
    Facts &Of = facts(F);
    if (!Of.Clean && Seen.insert(&Of).second)
      Visits.push_back({&Of, By, From});
  };
  for (const FunctionDecl *Lambda : Step.Apart)
    Seen.insert(&facts(*Lambda));
  Enter(*Step.Callee, &Step, -1);
  for (size_t I = 0; I < Visits.size(); ++I) {
    for (const BlockingStep &Next : Visits[I].Of->List)
      if (Next.Leaf) {
        BlockingChain Chain{&Next};
        for (int At = I; At >= 0; At = Visits[At].From)
          Chain.push_back(Visits[At].By);
        std::reverse(Chain.begin(), Chain.end());
        return Chain;
      }
    for (const BlockingStep &Next : Visits[I].Of->List)
      if (Next.Callee)
        Enter(*Next.Callee, &Next, I);
  }
  // What was left out may block.
  if (Step.Apart.empty())
    for (Facts *Of : Seen)
      Of->Clean = true;
  return {};
}

BlockingChain BlockingSummary::mayBlock(const FunctionDecl &F) {
  BlockingChain Best;
  for (const BlockingStep &Step : facts(F).List) {
    BlockingChain Chain = chain(Step);
    if (!Chain.empty() && (Best.empty() || Chain.size() < Best.size()))
      Best = std::move(Chain);
  }
  return Best;
}

} // namespace async_tidy
