// Is the result there already; is this no time at all?

#include "checks/analysis/Readiness.h"
#include "AnalysedCode.h"

namespace async_tidy {
namespace {

/// Whether `f.get()` in \p Body of a coroutine is proven not to wait.
bool ready(const std::string &Body) {
  AnalysedCode Code(R"cpp(
struct future { int get(); bool is_ready(); bool other(); };
task<> wait_for(future &);
task<int> test(future f, bool b) {)cpp" +
                    Body + " }");
  const FunctionBody &Test = Code.body("test");
  for (const clang::Stmt *S : Test.statements())
    if (const auto *Call = llvm::dyn_cast<clang::CXXMemberCallExpr>(S))
      if (Call->getMethodDecl()->getName() == "get")
        return isProvenReady(Code.context(), Test,
                             Call->getImplicitObjectArgument(), Call);
  ADD_FAILURE() << "no f.get()";
  return false;
}

TEST(Readiness, Tests) {
  EXPECT_FALSE(ready("co_return f.get();"));
  EXPECT_TRUE(ready("if (f.is_ready()) co_return f.get(); co_return 0;"));
  EXPECT_FALSE(ready("if (f.other()) co_return f.get(); co_return 0;"));
  EXPECT_FALSE(ready("if (!f.is_ready()) co_return f.get(); co_return 0;"));
  EXPECT_TRUE(ready("if (!f.is_ready()) co_return 0; co_return f.get();"));
  EXPECT_FALSE(ready("if (f.is_ready()) co_return 0; co_return f.get();"));
  EXPECT_TRUE(ready("co_return f.is_ready() ? f.get() : 0;"));
  EXPECT_TRUE(ready("co_return f.is_ready() && f.get();"));
  EXPECT_FALSE(ready("co_return f.is_ready() || f.get();"));
}

TEST(Readiness, Conjunctions) {
  EXPECT_TRUE(ready("if (b && f.is_ready()) co_return f.get(); co_return 0;"));
  EXPECT_FALSE(ready("if (b || f.is_ready()) co_return f.get(); co_return 0;"));
  EXPECT_TRUE(ready("if (b || !f.is_ready()) co_return 0; co_return f.get();"));
  EXPECT_FALSE(
      ready("if (b && !f.is_ready()) co_return 0; co_return f.get();"));
}

TEST(Readiness, AwaitsBefore) {
  EXPECT_TRUE(ready("co_await wait_for(f); co_return f.get();"));
  EXPECT_FALSE(ready("if (b) co_await wait_for(f); co_return f.get();"));
  EXPECT_TRUE(
      ready("if (!f.is_ready()) co_await wait_for(f); co_return f.get();"));
  EXPECT_FALSE(ready("int n = f.get(); co_await wait_for(f); co_return n;"));
  EXPECT_FALSE(ready("future g; co_await wait_for(g); co_return f.get();"));
}

TEST(Readiness, Loops) {
  EXPECT_TRUE(ready("while (!f.is_ready()) co_await wait_for(f); "
                    "co_return f.get();"));
  EXPECT_TRUE(ready("while (f.is_ready()) co_return f.get(); co_return 0;"));
}

bool zero(const std::string &Expression) {
  AnalysedCode Code(R"cpp(
struct ms {
  constexpr explicit ms(long n) : n(n) {}
  static constexpr ms zero() { return ms(0); }
  long n;
};
struct opaque { explicit opaque(int); };
template <class T> void use(T);
extern int limit;
constexpr ms none(0), some(5);
void test(int given) { use()cpp" +
                    Expression + "); }");
  return isZeroDuration(Code.first<clang::CallExpr>("test")->getArg(0),
                        Code.context().ast());
}

TEST(Readiness, ZeroDurations) {
  EXPECT_TRUE(zero("0"));
  EXPECT_FALSE(zero("-0.5 + 1"));
  EXPECT_TRUE(zero("ms(0)"));
  EXPECT_TRUE(zero("ms::zero()"));
  EXPECT_TRUE(zero("none"));
  EXPECT_FALSE(zero("some"));
  EXPECT_FALSE(zero("ms(5)"));
  EXPECT_TRUE(zero("opaque(0)"));
  EXPECT_FALSE(zero("opaque(1)"));
  EXPECT_FALSE(zero("given"));
  EXPECT_FALSE(zero("opaque(0 + limit)"));
}

} // namespace
} // namespace async_tidy
