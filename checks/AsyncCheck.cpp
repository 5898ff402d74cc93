//===--- AsyncCheck.cpp ---------------------------------------------------===//

#include "AsyncCheck.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include <mutex>
#include <nlohmann/json.hpp>

using namespace clang::ast_matchers;

namespace clang::tidy::async {

using async_tidy::AnalysisContext;

/// The analyses of \p Ctx, shared between the checks that run on it. They live
/// as long as one of the checks, which is not longer than the AST.
static llvm::Expected<std::shared_ptr<AnalysisContext>>
sharedAnalyses(ASTContext &Ctx, StringRef ModelFiles, StringRef Inline) {
  static std::mutex Mutex;
  static std::map<std::pair<const ASTContext *, std::string>,
                  std::weak_ptr<AnalysisContext>>
      Known;
  std::lock_guard<std::mutex> Lock(Mutex);
  for (auto It = Known.begin(); It != Known.end();)
    It = It->second.expired() ? Known.erase(It) : std::next(It);
  std::weak_ptr<AnalysisContext> &Slot =
      Known[{&Ctx, (ModelFiles + "\n" + Inline).str()}];
  if (std::shared_ptr<AnalysisContext> Alive = Slot.lock())
    return Alive;
  llvm::SmallVector<StringRef, 4> Parts;
  ModelFiles.split(Parts, ';', -1, /*KeepEmpty=*/false);
  const SourceManager &SM = Ctx.getSourceManager();
  llvm::SmallString<256> Main;
  if (OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getMainFileID()))
    Main = File->getName();
  SM.getFileManager().makeAbsolutePath(Main);
  std::vector<std::string> Files;
  for (StringRef Part : Parts)
    Files.push_back(async_tidy::ModelSet::locate(Part.trim(), Main));
  auto Models = async_tidy::ModelSet::load(Files, Inline);
  if (!Models)
    return Models.takeError();
  auto Made = std::make_shared<AnalysisContext>(Ctx, std::move(*Models));
  Slot = Made;
  return Made;
}

AsyncCheck::AsyncCheck(StringRef Name, ClangTidyContext *Context)
    : ClangTidyCheck(Name, Context),
      ModelFiles(Options.getLocalOrGlobal("AsyncTidyModels", "").str()) {}

void AsyncCheck::storeOptions(ClangTidyOptions::OptionMap &Opts) {
  Options.store(Opts, "AsyncTidyModels", ModelFiles);
}

void AsyncCheck::registerMatchers(MatchFinder *Finder) {
  Finder->addMatcher(
      functionDecl(isDefinition(), unless(isImplicit())).bind("function"),
      this);
  Finder->addMatcher(lambdaExpr().bind("lambda"), this);
}

/// The text of a model that says \p Names.
static std::string
modelText(ArrayRef<std::pair<StringRef, ArrayRef<StringRef>>> Names) {
  nlohmann::json Entries = nlohmann::json::object();
  for (const auto &[Role, OfRole] : Names)
    for (StringRef Name : OfRole)
      Entries[Role.str()].push_back(Name.str());
  if (Entries.empty())
    return "";
  return nlohmann::json{{"library", "check-options"},
                        {"title", "check options"},
                        {"cancellation", {{"delivery", "none"}}},
                        {"entries", Entries}}
      .dump();
}

void AsyncCheck::check(const MatchFinder::MatchResult &Result) {
  const auto *F = Result.Nodes.getNodeAs<FunctionDecl>("function");
  if (const auto *L = Result.Nodes.getNodeAs<LambdaExpr>("lambda"))
    F = L->getCallOperator();
  if (!F || !F->getLocation().isValid() ||
      Result.SourceManager->isInSystemHeader(F->getLocation()))
    return;
  if (AnalysedContext != Result.Context) {
    AnalysedContext = Result.Context;
    Analyses.reset();
    Visited.clear();
    Reported.clear();
    auto Shared = sharedAnalyses(*Result.Context, ModelFiles,
                                 modelText(modelFromOptions()));
    if (!Shared)
      configurationDiag("%0", DiagnosticIDs::Error)
          << llvm::toString(Shared.takeError());
    else
      Analyses = std::move(*Shared);
  }
  // Analyses of broken code would guess.
  if (!Analyses ||
      Result.Context->getDiagnostics().hasUncompilableErrorOccurred())
    return;
  // A body is only walked for those who want it: there are many in headers.
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) ||
      (!isa<CoroutineBodyStmt>(Definition->getBody()) &&
       !wantsPlainFunction(*Definition)))
    return;
  const async_tidy::FunctionBody *Body = coroutines().body(Definition);
  if (Body && Visited.insert(&Body->function()).second)
    checkFunction(*Body);
}

bool AsyncCheck::firstReportAt(SourceLocation Loc) {
  return Reported.insert(Loc).second;
}

} // namespace clang::tidy::async
