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
