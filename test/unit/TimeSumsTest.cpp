#include "checks/analysis/TimeSums.h"
#include "TimeFixture.h"

using namespace async_tidy;

namespace {

class TimeSumsTest : public TimeFixture {
protected:
  TimeSum sum(llvm::StringRef Function) {
    return Context->get<TimeSums>().of(body(Function), 5);
  }
};

constexpr double Second = 1e9;

TEST_F(TimeSumsTest, AddsWhatComesOneAfterTheOther) {
  parse(R"cpp(
    task<int> f() {
      int a = co_await limit(op(), 2s);
      co_await nap(500ms);
      co_return a + co_await limit(op(), 3s);
    }
  )cpp");
  TimeSum S = sum("f");
  EXPECT_EQ(S.Nanoseconds, 5.5 * Second);
  EXPECT_TRUE(S.Complete);
  ASSERT_EQ(S.Segments.size(), 3u);
  EXPECT_EQ(S.Segments[0].What, TimeStretch::Limited);
  EXPECT_EQ(S.Segments[1].What, TimeStretch::Pause);
  EXPECT_EQ(S.Segments[2].Nanoseconds, 3 * Second);
}

TEST_F(TimeSumsTest, TakesTheLongestOfBranches) {
  parse(R"cpp(
    task<int> f(bool b, int k) {
      if (b)
        co_return co_await limit(op(), 7s);
      switch (k) {
      case 1:
        co_await limit(op(), 1s);
        break;
      case 2:
        co_await limit(op(), 2s);
        [[fallthrough]];
      default:
        co_await limit(op(), 3s);
      }
      co_return b ? co_await limit(op(), 1s) : 0;
    }
  )cpp");
  EXPECT_EQ(sum("f").Nanoseconds, 7 * Second);
}

TEST_F(TimeSumsTest, GoesOnBehindAHandler) {
  parse(R"cpp(
    task<int> f() {
      try {
        co_return co_await limit(op(), 2s);
      } catch (...) {
      }
      co_return co_await limit(op(), 1s);
    }
  )cpp");
  EXPECT_EQ(sum("f").Nanoseconds, 3 * Second);
}

TEST_F(TimeSumsTest, CountsTurns) {
  parse(R"cpp(
    task<int> counted() {
      for (int i = 1; i <= 4; ++i)
        co_await limit(op(), 1s);
      co_return 0;
    }
    task<int> uncounted(int n) {
      for (int i = 0; i < n; ++i)
        co_await limit(op(), 1s);
      co_return 0;
    }
    task<int> retried() {
      for (int i = 0; i < 3; ++i) {
        try {
          co_return co_await limit(op(), 1s);
        } catch (...) {
        }
        co_await nap(100ms);
      }
      throw 1;
    }
  )cpp");
  EXPECT_EQ(sum("counted").Nanoseconds, 4 * Second);
  EXPECT_TRUE(sum("counted").Complete);
  EXPECT_EQ(sum("uncounted").Nanoseconds, 1 * Second);
  EXPECT_FALSE(sum("uncounted").Complete);
  TimeSum Retried = sum("retried");
  ASSERT_EQ(Retried.Segments.size(), 1u);
  EXPECT_EQ(Retried.Segments[0].What, TimeStretch::Retried);
  EXPECT_EQ(Retried.Segments[0].Times, 3u);
  EXPECT_EQ(Retried.Nanoseconds, 3.3 * Second);
}

TEST_F(TimeSumsTest, FollowsCallsWithTheirArguments) {
  parse(R"cpp(
    task<int> inner(std::chrono::milliseconds time) {
      co_return co_await limit(op(), 2 * time);
    }
    task<int> f() {
      co_return co_await inner(1500ms);
    }
    task<int> g(std::chrono::milliseconds time) {
      co_return co_await inner(time);
    }
  )cpp");
  TimeSum S = sum("f");
  EXPECT_EQ(S.Nanoseconds, 3 * Second);
  ASSERT_EQ(S.Segments.size(), 1u);
  EXPECT_EQ(S.Segments[0].Chain.size(), 2u);
  EXPECT_EQ(sum("g").Nanoseconds, 0);
  EXPECT_FALSE(sum("g").Complete);
}

TEST_F(TimeSumsTest, CutsByTheSmallerLimit) {
  parse(R"cpp(
    task<int> f() { co_return co_await limit(limit(op(), 5s), 2s); }
    task<int> g() { co_return co_await limit(limit(op(), 1s), 2s); }
    task<int> h() { co_return co_await limit(op(), 2s) + co_await op(); }
  )cpp");
  EXPECT_EQ(sum("f").Nanoseconds, 2 * Second);
  EXPECT_EQ(sum("g").Nanoseconds, 1 * Second);
  EXPECT_FALSE(sum("h").Complete);
}

TEST_F(TimeSumsTest, KnowsRemainders) {
  parse(R"cpp(
    task<int> f(Clock::time_point deadline) {
      auto left = deadline - Clock::now();
      co_await limit(op(), left);
      co_return co_await limit(op(), std::min<Clock::duration>(5s, left));
    }
  )cpp");
  EXPECT_EQ(sum("f").Nanoseconds, 0);
  EXPECT_TRUE(sum("f").Segments.empty());
}

} // namespace
