// Where code runs: callables that run here, pools, coroutines that move.

#include "checks/analysis/ExecutionContext.h"
#include "AnalysedCode.h"

namespace async_tidy {
namespace {

const char *const Library = R"cpp(
namespace cppcoro {
struct static_thread_pool { task<> schedule(); };
struct io_service { task<> schedule(); };
}
namespace asio {
struct executor {};
struct thread_pool { executor get_executor(); };
struct io_context { executor get_executor(); };
struct detached_t {} inline detached;
template <class E, class F> void post(E &&, F) {}
template <class E, class T> void co_spawn(E &&, T, detached_t) {}
}
void mark(int);
)cpp";

class ExecutionContextTest : public testing::Test {
protected:
  void parse(const std::string &Text) {
    Code = std::make_unique<AnalysedCode>(Library + Text);
    Execution = std::make_unique<ExecutionContext>(Code->context(), Policy);
  }
  /// Whether \p Function is on a pool at its call `mark(N)`, by N.
  std::map<int, bool> marks(llvm::StringRef Function) {
    std::map<int, bool> Out;
    const FunctionBody &Body = Code->body(Function);
    for (const clang::Stmt *S : Body.statements())
      if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(S))
        if (const clang::FunctionDecl *F = Call->getDirectCallee();
            F && F->getIdentifier() && F->getName() == "mark") {
          clang::Expr::EvalResult N;
          Call->getArg(0)->EvaluateAsInt(N, Code->context().ast());
          Out[N.Val.getInt().getExtValue()] = Execution->onPool(Body, Call);
        }
    return Out;
  }
  /// How many callables the first call in \p Function runs before it returns.
  size_t inlineCallables(llvm::StringRef Function) {
    return Execution->inlineCallables(*Code->first<clang::CallExpr>(Function))
        .size();
  }

  ExecutionPolicy Policy;
  std::unique_ptr<AnalysedCode> Code;
  std::unique_ptr<ExecutionContext> Execution;
};

using Places = std::map<int, bool>;

TEST_F(ExecutionContextTest, AnAwaitMovesWhatFollows) {
  parse(R"cpp(
task<> f(cppcoro::static_thread_pool &pool, cppcoro::io_service &loop) {
  mark(1);
  co_await pool.schedule();
  mark(2);
  co_await loop.schedule();
  mark(3);
})cpp");
  EXPECT_EQ(marks("f"), (Places{{1, false}, {2, true}, {3, false}}));
}

TEST_F(ExecutionContextTest, EveryWayCounts) {
  parse(R"cpp(
task<> f(cppcoro::static_thread_pool &pool, cppcoro::io_service &loop, bool b) {
  if (b) {
    co_await pool.schedule();
    mark(1);
  }
  mark(2);
  if (!b) co_await pool.schedule();
  else co_return;
  mark(3);
  while (b) {
    mark(4);
    co_await loop.schedule();
  }
})cpp");
  EXPECT_EQ(marks("f"), (Places{{1, true}, {2, false}, {3, true}, {4, false}}));
}

TEST_F(ExecutionContextTest, AHandlerMayBeReachedFromBefore) {
  parse(R"cpp(
task<> f(cppcoro::static_thread_pool &pool) {
  try {
    co_await pool.schedule();
    mark(1);
  } catch (int) { mark(2); }
}
task<> g(cppcoro::static_thread_pool &pool) {
  co_await pool.schedule();
  try { mark(1); } catch (int) { mark(2); }
})cpp");
  EXPECT_EQ(marks("f"), (Places{{1, true}, {2, false}}));
  EXPECT_EQ(marks("g"), (Places{{1, true}, {2, true}}));
}

TEST_F(ExecutionContextTest, StartsOnAPoolOnlyWhenAllUsesSaySo) {
  parse(R"cpp(
task<> pooled() { mark(1); co_return; }
task<> both() { mark(2); co_return; }
task<> inner() { mark(3); co_return; }
task<> outer() { co_await inner(); }
task<> unknown() { mark(4); co_return; }
void start(asio::thread_pool &pool, asio::io_context &loop) {
  auto executor = pool.get_executor();
  asio::co_spawn(executor, pooled(), asio::detached);
  asio::co_spawn(pool, both(), asio::detached);
  asio::co_spawn(loop, both(), asio::detached);
  auto later = outer();
  asio::co_spawn(pool, later, asio::detached);
})cpp");
  EXPECT_EQ(marks("pooled"), (Places{{1, true}}));
  EXPECT_EQ(marks("both"), (Places{{2, false}}));
  EXPECT_EQ(marks("inner"), (Places{{3, true}}));
  EXPECT_EQ(marks("unknown"), (Places{{4, false}}));
}

TEST_F(ExecutionContextTest, RecursionEnds) {
  parse(R"cpp(
task<> a(); task<> b();
task<> a() { mark(1); co_await b(); }
task<> b() { mark(2); co_await a(); })cpp");
  EXPECT_EQ(marks("a"), (Places{{1, false}}));
  EXPECT_EQ(marks("b"), (Places{{2, false}}));
}

TEST_F(ExecutionContextTest, AProjectsOwnPool) {
  Policy.Pools.insert("office");
  parse(R"cpp(
struct office {};
task<> f() { mark(1); co_return; }
void start(office &o) { asio::co_spawn(o, f(), asio::detached); })cpp");
  EXPECT_EQ(marks("f"), (Places{{1, true}}));
}

TEST_F(ExecutionContextTest, CallablesThatRunHere) {
  parse(R"cpp(
void now(void (*f)()) { f(); }
void through(void (*f)()) { now(f); }
void store(void (*f)()) { static auto kept = f; (void)kept; }
void again(void (*f)(), int n) { if (n) again(f, n - 1); }
void a() { now([] {}); }
void b() { through([] {}); }
void c() { store([] {}); }
void d() { again([] {}, 3); }
void e(asio::thread_pool &pool) { asio::post(pool, [] {}); })cpp");
  EXPECT_EQ(inlineCallables("a"), 1u);
  EXPECT_EQ(inlineCallables("b"), 1u);
  EXPECT_EQ(inlineCallables("c"), 0u);
  EXPECT_EQ(inlineCallables("d"), 0u);
  EXPECT_EQ(inlineCallables("e"), 0u);
}

} // namespace
} // namespace async_tidy
