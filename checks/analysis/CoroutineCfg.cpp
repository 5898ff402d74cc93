//===--- CoroutineCfg.cpp -------------------------------------------------===//

#include "CoroutineCfg.h"

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

CoroutineCfg::Handlers CoroutineCfg::handlersAround(const Stmt *S) const {
  Handlers Result;
  for (const Stmt *Up = Body.parent(S); Up && !Result.TakeAll;
       S = Up, Up = Body.parent(Up)) {
    const auto *Try = dyn_cast<CXXTryStmt>(Up);
    if (!Try || Try->getTryBlock() != S)
      continue;
    for (unsigned I = 0; I != Try->getNumHandlers(); ++I) {
      const CXXCatchStmt *Handler = Try->getHandler(I);
      if (const CFGBlock *Block = handlerBlock(Handler))
        Result.Blocks.push_back(Block);
      Result.TakeAll |= Handler->getCaughtType().isNull();
    }
  }
  return Result;
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
