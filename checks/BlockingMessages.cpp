//===--- BlockingMessages.cpp ---------------------------------------------===//

#include "BlockingMessages.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace async_tidy;

namespace clang::tidy::async {

/// Until when the thread is held up.
static StringRef untilWhat(const Entry &Leaf) {
  switch (Leaf.Category.value_or(BlockingCategory::Sync)) {
  case BlockingCategory::Sleep:
    return " while it sleeps";
  case BlockingCategory::Sync:
    return " until another thread acts";
  case BlockingCategory::Mutex:
    return " until the lock is free";
  case BlockingCategory::Future:
    return " until the result is there";
  case BlockingCategory::Process:
    return " until the process is done";
  case BlockingCategory::Net:
    return " until the network is done";
  case BlockingCategory::Dns:
    return " until the name is resolved";
  case BlockingCategory::Db:
    return " until the database answers";
  case BlockingCategory::Fs:
  case BlockingCategory::FsMetadata:
    return " until the file system is done";
  case BlockingCategory::Stdio:
    return " until there is input";
  case BlockingCategory::Cpu:
    return " while it computes";
  }
  llvm_unreachable("a category without words");
}

static std::string advice(const Entry &Leaf, const Library *Library) {
  auto Text =
      Library ? Leaf.Replacement.find(Library->Id) : Leaf.Replacement.end();
  if (Text == Leaf.Replacement.end())
    Text = Leaf.Replacement.find("");
  return Text == Leaf.Replacement.end() ? std::string()
                                        : "; use " + Text->second;
}

/// The step as the subject of a sentence.
static std::string subject(const BlockingStep &Step) {
  std::string Name = "'" + Step.Name + "'";
  switch (Step.How) {
  case BlockingStep::Call:
    return Step.Name == "lambda" ? "this lambda" : Name;
  case BlockingStep::Construction:
    return "constructing " + Name;
  case BlockingStep::Destruction:
    return Step.Object ? "destroying '" + Step.Object->getNameAsString() +
                             "' (" + Name + ")"
                       : "destroying this temporary (" + Name + ")";
  case BlockingStep::Result:
    return Step.Object ? "destroying '" + Step.Object->getNameAsString() +
                             "', the result of " + Name + ","
                       : "dropping the result of " + Name;
  case BlockingStep::Iteration:
    return "this loop's " + Name;
  case BlockingStep::Await:
    return "the awaiter's " + Name;
  }
  llvm_unreachable("a step without words");
}

std::string blockingMessage(const BlockingChain &Chain,
                            const Library *Library) {
  const BlockingStep &First = *Chain.front(), &Last = *Chain.back();
  std::string Text = subject(First);
  if (Chain.size() > 1)
    Text += " ends up in '" + Last.Name + "', which";
  if (Last.Leaf->Kind == Role::SyncWait)
    Text += " waits for async work and holds up the event loop's thread: "
            "deadlock if that work needs this thread";
  else
    Text += (" blocks the event loop's thread" + untilWhat(*Last.Leaf)).str();
  return Text + advice(*Last.Leaf, Library);
}

/// What a function does in \p Step: "calls '::read'".
static std::string predicate(const BlockingStep &Step) {
  std::string Name = "'" + Step.Name + "'";
  switch (Step.How) {
  case BlockingStep::Call:
    return "calls " + (Step.Name == "lambda" ? "this lambda" : Name);
  case BlockingStep::Construction:
    return "constructs " + Name;
  case BlockingStep::Destruction:
    return (Step.Object ? "destroys '" + Step.Object->getNameAsString() + "' ("
                        : "destroys a temporary (") +
           Name + ")";
  case BlockingStep::Result:
    return "destroys the result of " + Name;
  case BlockingStep::Iteration:
    return "iterates with " + Name;
  case BlockingStep::Await:
    return "awaits with " + Name;
  }
  llvm_unreachable("a step without words");
}

std::string hopMessage(const BlockingStep &Before, const BlockingStep &Step) {
  std::string Who =
      Before.Name == "lambda" ? "the lambda " : "'" + Before.Name + "' ";
  return Who + predicate(Step) + (Step.Leaf ? ", which blocks" : "");
}

std::pair<SourceLocation, StringRef>
firstCoroutineKeyword(const FunctionBody &Body) {
  // Statements are in source order.
  for (const Stmt *S : Body.statements()) {
    if (const auto *Await = dyn_cast<CoawaitExpr>(S);
        Await && !Await->isImplicit())
      return {Await->getKeywordLoc(), "co_await"};
    if (const auto *Yield = dyn_cast<CoyieldExpr>(S))
      return {Yield->getKeywordLoc(), "co_yield"};
    if (const auto *Return = dyn_cast<CoreturnStmt>(S);
        Return && !Return->isImplicit())
      return {Return->getKeywordLoc(), "co_return"};
  }
  return {SourceLocation(), ""};
}

/// All qualified names in \p Code are declared in this file.
static bool declaresAll(StringRef Code, ASTContext &Ctx) {
  while (!Code.empty()) {
    Code = Code.drop_until([](char C) { return llvm::isAlpha(C) || C == '_'; });
    StringRef Name = Code.take_while(
        [](char C) { return llvm::isAlnum(C) || C == '_' || C == ':'; });
    Code = Code.drop_front(Name.size());
    if (!Name.contains("::"))
      continue;
    const DeclContext *In = Ctx.getTranslationUnitDecl();
    for (StringRef Rest = Name; !Rest.empty();) {
      auto [Head, Tail] = Rest.split("::");
      auto Found =
          In ? In->lookup(&Ctx.Idents.get(Head)) : DeclContext::lookup_result();
      if (Found.empty())
        return false;
      const NamedDecl *D = Found.front()->getUnderlyingDecl();
      if (const auto *Alias = dyn_cast<NamespaceAliasDecl>(D))
        D = Alias->getNamespace();
      In = dyn_cast<DeclContext>(D);
      Rest = Tail;
    }
  }
  return true;
}

FixItHint replaceCall(const Expr &Call, StringRef Code,
                      const FunctionBody &Body, ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  const LangOptions &Lang = Ctx.getLangOpts();
  if (Call.getBeginLoc().isMacroID() || Call.getEndLoc().isMacroID() ||
      Body.enclosing<CXXCatchStmt>(&Call) || !declaresAll(Code, Ctx))
    return {};
  const Stmt *Statement = &Call;
  for (const Stmt *P = Body.parent(Statement); isa_and_nonnull<Expr>(P);
       P = Body.parent(P)) {
    if (!isa<FullExpr, CXXBindTemporaryExpr>(P))
      return {};
    Statement = P;
  }
  // Not the condition of a statement or the initialiser of a variable.
  const Stmt *P = Body.parent(Statement);
  bool Alone = isa_and_nonnull<CompoundStmt>(P);
  if (const auto *If = dyn_cast_or_null<IfStmt>(P))
    Alone = Statement == If->getThen() || Statement == If->getElse();
  if (!Alone)
    return {};
  std::string Text = Code.str();
  auto Args = argumentsOf(Call);
  for (unsigned I = 0; I < Args.size(); ++I) {
    std::string Slot = "{" + std::to_string(I) + "}";
    size_t At = Text.find(Slot);
    if (At == std::string::npos)
      continue;
    SourceRange Range = Args[I]->getSourceRange();
    if (Range.getBegin().isMacroID() || Range.getEnd().isMacroID())
      return {};
    Text.replace(
        At, Slot.size(),
        Lexer::getSourceText(CharSourceRange::getTokenRange(Range), SM, Lang)
            .str());
  }
  if (StringRef(Text).contains("{0}"))
    return {};
  return FixItHint::CreateReplacement(Call.getSourceRange(), Text);
}

} // namespace clang::tidy::async
