//===--- LimitsTest.cpp ---------------------------------------------------===//

#include "TimeFixture.h"

using namespace async_tidy;

namespace {

class LimitsTest : public TimeFixture {
protected:
  std::optional<int64_t> timeOf(llvm::StringRef Function) {
    auto Found = limits(Function);
    if (Found.empty())
      return std::nullopt;
    return Context->get<Limits>().amount(Found.front()).nanoseconds();
  }
  /// Whether the first limit of \p Function is set anew in its loop.
  bool fresh(llvm::StringRef Function) {
    const FunctionBody &Body = body(Function);
    const clang::Expr *Await = nullptr;
    for (const clang::Expr *Candidate : Body.suspensions())
      if (Body.enclosingLoop(Candidate))
        Await = Candidate;
    Limits &L = Context->get<Limits>();
    auto Found = L.limitsIn(Body, suspensionOperand(*Await));
    EXPECT_FALSE(Found.empty());
    return L.isFreshIn(Body, Body.enclosingLoop(Await), Found.front());
  }
};

TEST_F(LimitsTest, FindsWrappersInNestedAndNamedWork) {
  parse(R"cpp(
    task<int> none() { co_return co_await op(); }
    task<int> direct() { co_return co_await limit(op(), 1s); }
    task<int> nested() { co_return co_await limit(limit(op(), 1s), 5s); }
    task<int> variable() { auto work = limit(op(), 2s); co_return co_await std::move(work); }
  )cpp");
  EXPECT_TRUE(limits("none").empty());
  EXPECT_EQ(timeOf("direct"), 1'000'000'000);
  EXPECT_EQ(limits("nested").size(), 2u);
  EXPECT_EQ(timeOf("nested"), 5'000'000'000);
  EXPECT_EQ(timeOf("variable"), 2'000'000'000);
}

TEST_F(LimitsTest, TakesTheUsersWrappersForWhatTheyDo) {
  parse(R"cpp(
    task<int> within(std::chrono::milliseconds d, task<int> w) { co_return co_await limit(std::move(w), d); }
    template <class F> task<int> usual(F f) { return limit(f(), 700ms); }
    task<int> pause(std::chrono::seconds d) { co_await nap(d); co_return 0; }
    task<int> guarded(task<int> w) { co_return co_await keep(std::move(w)); }
    task<int> a() { co_return co_await within(300ms, op()); }
    task<int> b() { co_return co_await usual([] { return op(); }); }
    task<int> c() { co_return co_await pause(4s); }
    task<int> d() { co_return co_await guarded(op()); }
    task<int> logs(task<int> w) { int n = co_await std::move(w); co_return n; }
    task<int> e() { co_return co_await logs(op()); }
  )cpp");
  EXPECT_EQ(timeOf("a"), 300'000'000);
  EXPECT_EQ(limits("a").front().Through, named<clang::FunctionDecl>("within"));
  EXPECT_EQ(timeOf("b"), 700'000'000);
  Limits &L = Context->get<Limits>();
  const FunctionBody &C = body("c");
  auto Pause = L.sleepIn(C, suspensionOperand(*C.suspensions()[0]));
  ASSERT_TRUE(Pause);
  EXPECT_EQ(L.amount(Pause->Time).nanoseconds(), 4'000'000'000);
  const FunctionBody &D = body("d");
  auto Found = L.shieldAt(D, suspensionOperand(*D.suspensions()[0]));
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Work && Found->Inside);
  EXPECT_TRUE(limits("e").empty());
  const FunctionBody &E = body("e");
  EXPECT_FALSE(L.shieldAt(E, suspensionOperand(*E.suspensions()[0])));
}

TEST_F(LimitsTest, KnowsTimesGivenToTheCall) {
  parse(R"cpp(
    task<int> ask(int, Clock::time_point until);
    task<int> get(int, std::chrono::seconds timeout);
    task<int> wait(int, int timeout_ms);
    task<int> age(int, std::chrono::seconds oldest);
    task<int> a() { co_return co_await ask(1, Clock::now() + 5s); }
    task<int> b() { co_return co_await get(1, 2s); }
    task<int> c() { co_return co_await wait(1, 250); }
    task<int> d() { co_return co_await age(1, 3s); }
  )cpp");
  EXPECT_EQ(timeOf("a"), 5'000'000'000);
  EXPECT_TRUE(limits("a").front().Time.Absolute);
  EXPECT_EQ(timeOf("b"), 2'000'000'000);
  EXPECT_EQ(timeOf("c"), 250'000'000);
  EXPECT_TRUE(limits("d").empty());
}

TEST_F(LimitsTest, TellsFreshLimitsFromShared) {
  parse(R"cpp(
    task<int> ask(int, Clock::time_point until);
    task<int> constant() { for (;;) co_await limit(op(), 1s); }
    task<int> parameter(std::chrono::seconds d) { for (;;) co_await limit(op(), d); }
    task<int> anew() { for (;;) { auto t = Clock::now() + 1s; co_await ask(1, t); } }
    task<int> once() { auto t = Clock::now() + 1s; for (;;) co_await ask(1, t); }
    task<int> given(Clock::time_point t) { for (;;) co_await limit(op(), std::min<Clock::duration>(1s, t - Clock::now())); }
    task<int> rest(Clock::time_point t) { for (;;) { auto left = t - Clock::now(); co_await limit(op(), left); } }
    task<int> spent(std::chrono::nanoseconds d) { for (;;) { auto t = Clock::now(); co_await limit(op(), d); d -= Clock::now() - t; } }
    task<int> helper(Clock::time_point t) { auto left = [t] { return t - Clock::now(); }; for (;;) co_await limit(op(), left()); }
  )cpp");
  EXPECT_TRUE(fresh("constant"));
  EXPECT_TRUE(fresh("parameter"));
  EXPECT_TRUE(fresh("anew"));
  EXPECT_FALSE(fresh("once"));
  EXPECT_FALSE(fresh("given"));
  EXPECT_FALSE(fresh("rest"));
  EXPECT_FALSE(fresh("spent"));
  EXPECT_FALSE(fresh("helper"));
}

TEST_F(LimitsTest, FollowsCallersInTheFile) {
  parse(R"cpp(
    task<int> all() { co_return co_await op(); }
    task<int> some() { co_return co_await op(); }
    task<int> unused() { co_return co_await op(); }
    task<int> between() { co_return co_await all(); }
    task<int> a() { co_return co_await limit(between(), 1s); }
    task<int> b() { auto w = some(); co_return co_await limit(std::move(w), 1s); }
    task<int> c() { co_return co_await some(); }
  )cpp");
  Limits &L = Context->get<Limits>();
  EXPECT_TRUE(L.isLimitedByCallers(*named<clang::FunctionDecl>("all")));
  EXPECT_FALSE(L.isLimitedByCallers(*named<clang::FunctionDecl>("some")));
  EXPECT_FALSE(L.isLimitedByCallers(*named<clang::FunctionDecl>("unused")));
}

} // namespace
