//===--- Fibers.cpp -------------------------------------------------------===//

#include "Fibers.h"
#include "CancellationState.h"
#include "CoroutineCfg.h"

using namespace clang;

namespace async_tidy {

/// The last statement of \p Block throws, so that its way on is a handler.
static bool raises(const CFGBlock &Block) {
  if (Block.hasNoReturnElement())
    return true;
  for (const CFGElement &Element : Block)
    if (auto S = Element.getAs<CFGStmt>())
      if (isa<CXXThrowExpr>(S->getStmt()))
        return true;
  return false;
}

bool endsOnlyWhenStopped(const FunctionBody &Body, const CXXTryStmt &Try,
                         AnalysisContext &Context) {
  auto &Functions = Context.get<Coroutines>();
  const CoroutineCfg &Cfg = Context.get<CoroutineCfgs>().of(Body);
  llvm::SmallVector<const Expr *, 8> Awaits = suspensionsIn(Try.getTryBlock());
  if (!Cfg.valid() || Awaits.empty() ||
      !Functions.yieldsNothing(Body.function()))
    return false;
  CfgPoint Start = Cfg.find(Awaits.front());
  if (!Start)
    return false;
  CancellationEvaluator Evaluator(Context.roles(), {});
  // `bool stopping() { return token.requested(); }`
  auto AskedInside = [&](const CallExpr &Call, const CancellationState &State) {
    auto Inner = [](const CallExpr &,
                    const CancellationState &) -> std::optional<Meaning> {
      return std::nullopt;
    };
    const FunctionBody *Callee = Functions.body(Call.getDirectCallee());
    const auto *Block =
        dyn_cast_or_null<CompoundStmt>(Callee ? Callee->body() : nullptr);
    const auto *Return = Block && Block->size() == 1
                             ? dyn_cast<ReturnStmt>(Block->body_front())
                             : nullptr;
    return Return && Return->getRetValue()
               ? std::optional(
                     Evaluator.evaluate(Return->getRetValue(), State, Inner))
               : std::nullopt;
  };
  llvm::DenseSet<const CFGBlock *> Seen;
  llvm::SmallVector<const CFGBlock *, 16> Pending = {Start.Block};
  while (!Pending.empty()) {
    const CFGBlock *Block = Pending.pop_back_val();
    if (!Block || !Seen.insert(Block).second || raises(*Block))
      continue;
    if (Block == &Cfg.graph().getExit())
      return false;
    // Which way a token that says so sends it is no end of its own.
    std::optional<bool> Stopped;
    bool Unused = false;
    const Expr *Condition =
        Block->succ_size() == 2 ? Block->getLastCondition() : nullptr;
    if (bool Constant; Condition && !Condition->EvaluateAsBooleanCondition(
                                        Constant, Context.ast()))
      Stopped = Evaluator.condition(Condition, {}, AskedInside, Unused);
    unsigned Side = 0;
    for (const CFGBlock *Next : Block->succs())
      if (!Stopped || (Side++ == 0) != *Stopped)
        Pending.push_back(Next);
  }
  return true;
}

} // namespace async_tidy
