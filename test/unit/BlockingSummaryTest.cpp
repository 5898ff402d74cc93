// May this function block, and through what?

#include "checks/analysis/BlockingSummary.h"
#include "AnalysedCode.h"

namespace async_tidy {
namespace {

class BlockingSummaryTest : public testing::Test {
protected:
  void parse(const std::string &Text) {
    Code = std::make_unique<AnalysedCode>(
        "extern \"C\" unsigned sleep(unsigned);\n"
        "extern \"C\" int pthread_mutex_lock(int *);\n" +
        Text);
    Summary = std::make_unique<BlockingSummary>(Code->context(), Policy);
  }
  /// The names on the shortest way from \p Function to what blocks.
  std::string way(llvm::StringRef Function) {
    std::string Out;
    for (const BlockingStep *Step :
         Summary->mayBlock(*Code->function(Function)))
      Out += (Out.empty() ? "" : " ") + Step->Name;
    return Out;
  }

  BlockingPolicy Policy;
  std::unique_ptr<AnalysedCode> Code;
  std::unique_ptr<BlockingSummary> Summary;
};

TEST_F(BlockingSummaryTest, TheShortestWayIsGiven) {
  parse(R"cpp(
int c() { return sleep(1); }
int b() { return c(); }
int a() { return b() + c(); }
int none() { return 1; }
int calls() { return none(); })cpp");
  EXPECT_EQ(way("a"), "c ::sleep");
  EXPECT_EQ(way("b"), "c ::sleep");
  EXPECT_EQ(way("c"), "::sleep");
  EXPECT_EQ(way("calls"), "");
}

TEST_F(BlockingSummaryTest, CyclesEndAndHideNothing) {
  parse(R"cpp(
int b(int n);
int a(int n) { return b(n); }
int b(int n) { return n ? a(n - 1) : sleep(1); }
int x(int n);
int y(int n) { return x(n); }
int x(int n) { return y(n); })cpp");
  // Asked for in this order, b's answer must not come from within the cycle.
  EXPECT_EQ(way("x"), "");
  EXPECT_EQ(way("a"), "b ::sleep");
  EXPECT_EQ(way("b"), "::sleep");
  EXPECT_EQ(way("y"), "");
}

TEST_F(BlockingSummaryTest, ConstructorsAndDestructors) {
  parse(R"cpp(
struct inner { ~inner() { sleep(1); } };
struct outer { inner i; };
struct derived : outer {};
struct made { int n = sleep(2); };
struct given { given(int) : n(sleep(3)) {} unsigned n; };
void local() { derived d; }
void temporary() { inner{}; }
void deletes(outer *o) { delete o; }
void defaults() { made m; }
void initialises() { given g(1); }
void refers(outer &o) { outer &same = o; (void)same; }
void keeps() { static inner once; })cpp");
  EXPECT_EQ(way("local"),
            "derived::~derived outer::~outer inner::~inner ::sleep");
  EXPECT_EQ(way("temporary"), "inner::~inner ::sleep");
  EXPECT_EQ(way("deletes"), "outer::~outer inner::~inner ::sleep");
  EXPECT_EQ(way("defaults"), "made ::sleep");
  EXPECT_EQ(way("initialises"), "given ::sleep");
  EXPECT_EQ(way("refers"), "");
  EXPECT_EQ(way("keeps"), "");
}

TEST_F(BlockingSummaryTest, WhatIsNotFollowed) {
  parse(R"cpp(
task<> coroutine() { sleep(1); co_return; }
void lazy() { coroutine(); }
struct base { virtual void f() { sleep(1); } };
void dynamic(base &b) { b.f(); }
void known() { base b; b.f(); }
void pointer(void (*f)()) { f(); }
auto stored() { return [] { sleep(1); }; }
void here() { [] { sleep(1); }(); }
void operand() { (void)sizeof(sleep(1)); (void)noexcept(sleep(1)); }
template <bool B> void branch() { if constexpr (B) sleep(1); }
void off() { branch<false>(); }
void on() { branch<true>(); })cpp");
  EXPECT_EQ(way("lazy"), "");
  EXPECT_EQ(way("dynamic"), "");
  EXPECT_EQ(way("known"), "base::f ::sleep");
  EXPECT_EQ(way("pointer"), "");
  EXPECT_EQ(way("stored"), "");
  EXPECT_EQ(way("here"), "lambda ::sleep");
  EXPECT_EQ(way("operand"), "");
  EXPECT_EQ(way("off"), "");
  EXPECT_EQ(way("on"), "branch ::sleep");
}

TEST_F(BlockingSummaryTest, Promises) {
  const char *Text = R"cpp(
[[clang::annotate("async-tidy:nonblocking")]] void quick() { sleep(1); }
void calls() { quick(); }
[[clang::annotate("async-tidy:blocking")]] void slow();
void waits() { slow(); })cpp";
  parse(Text);
  EXPECT_EQ(way("calls"), "");
  EXPECT_EQ(way("waits"), "slow");
  Policy.TrustNonblocking = false;
  parse(Text);
  EXPECT_EQ(way("calls"), "quick ::sleep");
}

TEST_F(BlockingSummaryTest, OnlyTheCategoriesThatCount) {
  const char *Text = R"cpp(
void f(int *m) { pthread_mutex_lock(m); sleep(1); })cpp";
  parse(Text);
  EXPECT_EQ(way("f"), "::pthread_mutex_lock");
  Policy.Categories.reset(unsigned(BlockingCategory::Mutex));
  parse(Text);
  EXPECT_EQ(way("f"), "::sleep");
}

TEST_F(BlockingSummaryTest, AProjectsOwnNames) {
  Entry E;
  E.Kind = Role::Blocking;
  E.Category = BlockingCategory::Db;
  Policy.Extra["store::find"] = E;
  parse(R"cpp(
struct store { int find(int); };
int f(store &s) { return s.find(1); })cpp");
  EXPECT_EQ(way("f"), "store::find");
}

} // namespace
} // namespace async_tidy
