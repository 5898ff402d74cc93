//===--- RetryLoopsTest.cpp -----------------------------------------------===//

#include "TimeFixture.h"

using namespace async_tidy;

namespace {

using RetryLoopsTest = TimeFixture;

TEST_F(RetryLoopsTest, CountsAttemptsAndPauses) {
  parse(R"cpp(
    task<int> counted() {
      for (int i = 0; i < 4; ++i) {
        try { co_return co_await limit(op(), 1s); } catch (...) {}
        co_await nap(100ms * (1 << i));
      }
      co_return 0;
    }
    task<int> thrown() {
      constexpr int max = 5;
      for (int n = 1;; ++n) {
        try { co_return co_await limit(op(), 2s); } catch (...) { if (n == max) throw; }
        co_await nap(100ms * n);
      }
    }
    task<int> countdown() {
      int tries = 3;
      auto d = 50ms;
      while (tries-- > 0) {
        try { co_return co_await limit(op(), 1s); } catch (...) {}
        if (tries > 0) { co_await nap(d); d = std::min(d * 4, 100ms); }
      }
      co_return 0;
    }
    task<int> doWhile() {
      int n = 0;
      bool done = false;
      do {
        try { co_await limit(op(), 1s); done = true; } catch (...) {}
      } while (!done && ++n < 6);
      co_return n;
    }
  )cpp");
  auto Counted = retry("counted");
  ASSERT_TRUE(Counted);
  EXPECT_EQ(Counted->Attempts, 4u);
  EXPECT_EQ(Counted->LimitSum, 4e9);
  EXPECT_EQ(Counted->PauseSum, 1.5e9);
  auto Thrown = retry("thrown");
  ASSERT_TRUE(Thrown);
  EXPECT_EQ(Thrown->Attempts, 5u);
  EXPECT_EQ(Thrown->PauseSum, 1e9); // none after the last
  ASSERT_EQ(Thrown->AttemptOrigins.size(), 1u);
  EXPECT_EQ(Thrown->AttemptOrigins[0].Name, named<clang::VarDecl>("max"));
  auto Countdown = retry("countdown");
  ASSERT_TRUE(Countdown);
  EXPECT_EQ(Countdown->Attempts, 3u);
  EXPECT_EQ(Countdown->PauseSum, 150e6);
  auto DoWhile = retry("doWhile");
  ASSERT_TRUE(DoWhile);
  EXPECT_EQ(DoWhile->Attempts, 6u);
}

TEST_F(RetryLoopsTest, TellsRetriesFromOtherLoops) {
  parse(R"cpp(
    void use(int);
    task<int> stream() {
      int sum = 0;
      for (;;) { int n = co_await limit(op(), 1s); if (n == 0) co_return sum; sum += n; }
    }
    task<int> service() {
      for (;;) { try { use(co_await limit(op(), 1s)); } catch (...) {} }
    }
    task<int> leaves() {
      for (int i = 0; i < 3; ++i) { try { co_return co_await limit(op(), 1s); } catch (...) { break; } }
      co_return 0;
    }
    task<int> rethrows() {
      for (int i = 0; i < 3; ++i) { try { co_return co_await limit(op(), 1s); } catch (...) { throw; } }
      co_return 0;
    }
    task<int> notTheLoop() {
      for (int i = 0; i < 3; ++i) use(i);
      co_return co_await limit(op(), 1s);
    }
    task<int> endless() {
      while (true) { try { co_return co_await limit(op(), 1s); } catch (...) {} }
    }
    task<int> untilStopped(const bool &stop) {
      bool volatile ignored = stop;
      while (!stop) { try { co_return co_await limit(op(), 1s); } catch (...) {} }
      co_return 0;
    }
  )cpp");
  EXPECT_FALSE(retry("stream"));
  EXPECT_FALSE(retry("service"));
  EXPECT_FALSE(retry("leaves"));
  EXPECT_FALSE(retry("rethrows"));
  EXPECT_FALSE(retry("notTheLoop"));
  auto Endless = retry("endless");
  ASSERT_TRUE(Endless);
  EXPECT_FALSE(Endless->Attempts);
  EXPECT_FALSE(Endless->Capped);
}

TEST_F(RetryLoopsTest, FindsFailOverAndRecursion) {
  parse(R"cpp(
    task<int> from(int);
    task<int> four(int (&hosts)[4]) {
      for (int h : hosts) { try { co_return co_await limit(from(h), 1s); } catch (...) {} }
      co_return 0;
    }
    task<int> again(int tries = 3) {
      try { co_return co_await limit(op(), 1s); } catch (...) { if (tries <= 1) throw; }
      co_await nap(200ms);
      co_return co_await again(tries - 1);
    }
  )cpp");
  auto Four = retry("four");
  ASSERT_TRUE(Four);
  EXPECT_TRUE(Four->OverRange);
  EXPECT_EQ(Four->Attempts, 4u);
  auto Again = retry("again");
  ASSERT_TRUE(Again);
  EXPECT_FALSE(Again->Loop);
  EXPECT_TRUE(Again->SelfCall);
  EXPECT_EQ(Again->Attempts, 3u);
  EXPECT_EQ(Again->PauseSum, 400e6);
  EXPECT_TRUE(Again->ByDefault);
}

TEST_F(RetryLoopsTest, FindsHelpers) {
  parse(R"cpp(
    template <class F> task<int> hard(int n, F f) {
      for (int i = 1;; ++i) { try { co_return co_await f(); } catch (...) { if (i >= n) throw; } }
    }
    template <class F> task<int> easy(F f) { co_return co_await f(); }
    task<int> use() { co_return co_await hard(3, op) + co_await easy(op); }
  )cpp");
  const FunctionBody &Use = body("use");
  auto Helper = [&](unsigned Index) {
    const auto *Call = llvm::cast<clang::CallExpr>(
        stripped(suspensionOperand(*Use.suspensions()[Index])));
    return Context->get<RetryLoops>().helper(*Call->getDirectCallee());
  };
  ASSERT_TRUE(Helper(0));
  EXPECT_EQ(Helper(0)->Callable, 1);
  EXPECT_FALSE(Helper(1));
}

} // namespace
