//===--- CoroutineCfg.cpp -------------------------------------------------===//

#include "CoroutineCfg.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace async_tidy {

CoroutineCfg::CoroutineCfg(const FunctionBody &Body, ASTContext &Ctx)
    : Body(Body) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddInitializers = true;
  Graph = CFG::buildCFG(&Body.function(), const_cast<Stmt *>(Body.body()), &Ctx,
                        Options);
  if (!Graph)
    return;
  for (const CFGBlock *Block : *Graph)
    for (unsigned I = 0, N = Block->size(); I != N; ++I)
      if (auto Element = (*Block)[I].getAs<CFGStmt>())
        Points.try_emplace(Element->getStmt(), CfgPoint{Block, I});
  for (const Expr *Await : Body.suspensions()) {
    const auto *Suspend = dyn_cast<CoroutineSuspendExpr>(Await);
    const Expr *Resume =
        Suspend ? Suspend->getResumeExpr()->IgnoreImplicit() : nullptr;
    CfgPoint At = Points.lookup(Resume);
    if (!At || !At.Block->hasNoReturnElement() ||
        At.Block == Points.lookup(Await).Block)
      continue;
    Points[Await] = At;
    Endings[Resume] = Await;
  }
}

llvm::SmallVector<const CXXCatchStmt *, 4>
CoroutineCfg::handlersAround(const Stmt *S) const {
  llvm::SmallVector<const CXXCatchStmt *, 4> Result;
  for (const Stmt *Up = Body.parent(S); Up; S = Up, Up = Body.parent(Up)) {
    const auto *Try = dyn_cast<CXXTryStmt>(Up);
    if (!Try || Try->getTryBlock() != S)
      continue;
    for (unsigned I = 0; I != Try->getNumHandlers(); ++I) {
      Result.push_back(Try->getHandler(I));
      if (Result.back()->getCaughtType().isNull())
        return Result;
    }
  }
  return Result;
}

bool CoroutineCfg::isAllCaught(const Stmt *S) const {
  auto Handlers = handlersAround(S);
  return !Handlers.empty() && Handlers.back()->getCaughtType().isNull();
}

void CoroutineCfg::walkFrom(
    const Stmt &Start, llvm::function_ref<Step(const Stmt &)> Visit) const {
  CfgPoint From = find(&Start);
  if (!From)
    return;
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  llvm::SmallVector<CfgPoint, 8> Work = {{From.Block, From.Index + 1}};
  auto Enter = [&](const CFGBlock *Block) {
    if (Block && Seen.insert(Block).second)
      Work.push_back({Block, 0});
  };
  while (!Work.empty()) {
    CfgPoint At = Work.pop_back_val();
    Step Last = Step::On;
    for (unsigned I = At.Index; Last != Step::End && I < At.Block->size();
         ++I) {
      auto Element = (*At.Block)[I].getAs<CFGStmt>();
      const Stmt *S = Element ? Element->getStmt() : nullptr;
      if (!S || !Body.isWritten(S))
        continue;
      Last = Visit(*S);
      if (Last == Step::Raise)
        for (const CXXCatchStmt *Handler : handlersAround(S))
          Enter(handlerBlock(Handler));
    }
    if (Last != Step::End)
      for (const CFGBlock *Next : At.Block->succs())
        Enter(Next);
  }
}

const CFGBlock *CoroutineCfg::handlerBlock(const CXXCatchStmt *Handler) const {
  for (const CFGBlock *Block : *Graph)
    if (Block->getLabel() == Handler)
      return Block;
  return nullptr;
}

const CoroutineCfg &CoroutineCfgs::of(const FunctionBody &Body) {
  std::unique_ptr<CoroutineCfg> &Slot = Built[&Body];
  if (!Slot)
    Slot = std::make_unique<CoroutineCfg>(Body, Context.ast());
  return *Slot;
}

} // namespace async_tidy
