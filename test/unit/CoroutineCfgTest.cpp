// Pins the shape of clang's CFG that the analyses rest on; it differs between
// majors only where this test says so.

#include "checks/analysis/CoroutineCfg.h"
#include "AnalysedCode.h"

namespace async_tidy {
namespace {

using clang::CFGBlock;

const CoroutineCfg &cfgOf(AnalysedCode &Code, llvm::StringRef Name) {
  return Code.context().get<CoroutineCfgs>().of(Code.body(Name));
}

TEST(CoroutineCfg, IsBuiltFromWhatTheUserWrote) {
  AnalysedCode Code("task<> step(); task<> f() { co_await step(); }");
  const CoroutineCfg &Cfg = cfgOf(Code, "f");
  ASSERT_TRUE(Cfg.valid());
  // Entry, one block, exit: neither promise nor initial suspend.
  EXPECT_EQ(Cfg.graph().size(), 3u);
}

TEST(CoroutineCfg, AwaitsAreElements) {
  AnalysedCode Code("task<int> step(); task<int> f() { int n = co_await "
                    "step(); co_return n; }");
  const auto *Await = Code.first<clang::CoawaitExpr>("f");
  CfgPoint Point = cfgOf(Code, "f").find(Await);
  ASSERT_TRUE(Point);
  EXPECT_EQ((*Point.Block)[Point.Index].getAs<clang::CFGStmt>()->getStmt(),
            Await);
}

TEST(CoroutineCfg, HandlersAreThereWithoutPredecessors) {
  AnalysedCode Code(R"cpp(
task<> step();
task<> f() {
  try { co_await step(); } catch (const std::exception &) { int n = 0; (void)n; } catch (...) { }
})cpp");
  const CoroutineCfg &Cfg = cfgOf(Code, "f");
  const auto *Try = Code.first<clang::CXXTryStmt>("f");
  ASSERT_EQ(Try->getNumHandlers(), 2u);
  for (unsigned I = 0; I != 2; ++I) {
    const CFGBlock *Block = Cfg.handlerBlock(Try->getHandler(I));
    ASSERT_NE(Block, nullptr);
    EXPECT_EQ(Block->getLabel(), Try->getHandler(I));
  }
}

TEST(CoroutineCfg, ThrowLeavesItsBlock) {
  AnalysedCode Code("task<> f(bool b) { if (b) throw 1; co_return; }");
  const auto *Throw = Code.first<clang::CXXThrowExpr>("f");
  CfgPoint Point = cfgOf(Code, "f").find(Throw);
  ASSERT_TRUE(Point);
  EXPECT_EQ(Point.Index + 1, Point.Block->size());
}

TEST(CoroutineCfg, AwaitThatNeverReturnsIsWhereItResumes) {
  AnalysedCode Code(R"cpp(
struct last : std::suspend_always { [[noreturn]] void await_resume(); };
task<> f() { co_await last(); })cpp");
  const auto *Await = Code.first<clang::CoawaitExpr>("f");
  const CoroutineCfg &Cfg = cfgOf(Code, "f");
  CfgPoint Point = Cfg.find(Await);
  ASSERT_TRUE(Point);
  EXPECT_TRUE(Point.Block->hasNoReturnElement());
  EXPECT_EQ(Cfg.endedBy(
                (*Point.Block)[Point.Index].castAs<clang::CFGStmt>().getStmt()),
            Await);
}

TEST(CoroutineCfg, FunctionTryBlock) {
  AnalysedCode Code(
      "task<> step(); task<> f() try { co_await step(); } catch (...) { }");
  const auto *Try = Code.first<clang::CXXTryStmt>("f");
  EXPECT_NE(cfgOf(Code, "f").handlerBlock(Try->getHandler(0)), nullptr);
}

} // namespace
} // namespace async_tidy
