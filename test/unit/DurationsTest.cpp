//===--- DurationsTest.cpp ------------------------------------------------===//

#include "TimeFixture.h"

using namespace async_tidy;

namespace {

using DurationsTest = TimeFixture;

TEST_F(DurationsTest, FormatsWithTheUnitThatFits) {
  EXPECT_EQ(formatDuration(1e9), "1 s");
  EXPECT_EQ(formatDuration(1.5e9), "1.5 s");
  EXPECT_EQ(formatDuration(100e6), "100 ms");
  EXPECT_EQ(formatDuration(2.5e3), "2.5 us");
  EXPECT_EQ(formatDuration(7), "7 ns");
  EXPECT_EQ(formatDuration(0), "0 s");
  EXPECT_EQ(formatDuration(90e9), "90 s");
  EXPECT_EQ(formatDuration(300e9), "5 min");
  EXPECT_EQ(formatDuration(7200e9), "2 h");
}

TEST_F(DurationsTest, FoldsLiteralsConstructorsAndArithmetic) {
  parse(R"cpp(
    constexpr int kFactor = 3;
    const auto a = 500ms;
    const auto b = std::chrono::seconds(2) + a * kFactor;
    const auto c = std::chrono::milliseconds{kFactor} / 2;
    const auto d = std::chrono::duration_cast<std::chrono::seconds>(1900ms);
    const auto e = std::min<std::chrono::milliseconds>(2s, 1500ms);
    const auto f = std::clamp(9s, 1s, 4s);
    const long g = (2s).count() * 10;
    const auto h = -(1s - 3s);
    const std::chrono::duration<double> i(0.25);
    const auto j = kFactor > 2 ? 1s : 7s;
    constexpr auto twice(std::chrono::seconds s) { return 2 * s; }
    const auto k = twice(4s);
    std::chrono::seconds notConstexpr(std::chrono::seconds s) { return s + 1s; }
    const auto l = notConstexpr(4s);
  )cpp");
  EXPECT_EQ(value("a").nanoseconds(), 500'000'000);
  EXPECT_EQ(value("b").nanoseconds(), 3'500'000'000);
  EXPECT_EQ(value("c").nanoseconds(), 1'000'000); // whole milliseconds
  EXPECT_EQ(value("d").nanoseconds(), 1'000'000'000);
  EXPECT_EQ(value("e").nanoseconds(), 1'500'000'000);
  EXPECT_EQ(value("f").nanoseconds(), 4'000'000'000);
  EXPECT_EQ(value("g").value(), 20);
  EXPECT_EQ(value("h").nanoseconds(), 2'000'000'000);
  EXPECT_EQ(value("i").nanoseconds(), 250'000'000);
  EXPECT_EQ(value("j").nanoseconds(), 1'000'000'000);
  EXPECT_EQ(value("k").nanoseconds(), 8'000'000'000);
  EXPECT_EQ(value("l").nanoseconds(), 5'000'000'000);
}

TEST_F(DurationsTest, DoesNotOverflow) {
  parse("const auto a = std::chrono::hours(2'000'000'000) * 1000;");
  EXPECT_EQ(value("a").nanoseconds(), std::numeric_limits<int64_t>::max());
}

TEST_F(DurationsTest, NamesWhereAValueComesFrom) {
  parse(R"cpp(
    constexpr auto kLimit = 2s;
    const auto a = kLimit;
    std::chrono::seconds changeable{4};
    const auto b = changeable;
    struct Settings { std::chrono::milliseconds each{250}; std::chrono::seconds none; };
    auto c(Settings s) { return s.each; }
    auto d(Settings s) { return s.none; }
    auto e(std::chrono::seconds limit = 3s) { return limit; }
    auto f(std::chrono::seconds limit) { return limit; }
  )cpp");
  Amount A = value("a");
  ASSERT_EQ(A.Origins.size(), 1u);
  EXPECT_EQ(A.Origins[0].Name, named<clang::VarDecl>("kLimit"));
  EXPECT_EQ(A.Origins[0].Value, 2e9);
  EXPECT_FALSE(A.ByDefault);
  EXPECT_TRUE(value("b").ByDefault);
  auto Returned = [&](llvm::StringRef Function) {
    for (const clang::Stmt *S : body(Function).statements())
      if (const auto *R = llvm::dyn_cast<clang::ReturnStmt>(S))
        return Context->get<Durations>().fold(R->getRetValue());
    return Amount();
  };
  EXPECT_EQ(Returned("c").nanoseconds(), 250'000'000);
  EXPECT_TRUE(Returned("c").ByDefault);
  EXPECT_FALSE(Returned("d").exact());
  EXPECT_EQ(Returned("d").DependsOn->getName(), "none");
  EXPECT_EQ(Returned("e").nanoseconds(), 3'000'000'000);
  EXPECT_TRUE(Returned("e").ByDefault);
  EXPECT_FALSE(Returned("f").exact());
  EXPECT_EQ(Returned("f").DependsOn->getName(), "limit");
}

TEST_F(DurationsTest, KeepsRangesAndPointsInTime) {
  parse(R"cpp(
    bool slow();
    const auto a = slow() ? 5s : 2s;
    const auto b = Clock::now() + 3s;
    const auto c = std::min<Clock::duration>(1s, b - Clock::now());
    std::chrono::seconds ask();
    const auto d = std::min(ask(), 4s);
  )cpp");
  EXPECT_FALSE(value("a").exact());
  EXPECT_EQ(value("a").Low, 2e9);
  EXPECT_EQ(value("a").High, 5e9);
  EXPECT_TRUE(value("b").FromNow);
  EXPECT_EQ(value("b").value(), 3e9);
  EXPECT_FALSE(value("c").exact());
  EXPECT_EQ(value("c").High, 1e9);
  EXPECT_EQ(value("d").High, 4e9);
  EXPECT_FALSE(value("d").Low);
}

TEST_F(DurationsTest, GivesNumbersTheUnitOfTheirParameter) {
  parse("const double a = 2.5; const int b = 40;");
  const clang::Expr *A = named<clang::VarDecl>("a")->getInit();
  EXPECT_EQ(Context->get<Durations>().foldTime(A, 1e9).nanoseconds(),
            2'500'000'000);
  const clang::Expr *B = named<clang::VarDecl>("b")->getInit();
  EXPECT_EQ(Context->get<Durations>().foldTime(B, 1e6).nanoseconds(),
            40'000'000);
  EXPECT_FALSE(Context->get<Durations>().foldTime(B, 0).exact());
}

TEST_F(DurationsTest, SeesWhatChangesAVariable) {
  parse(R"cpp(
    void take(std::chrono::seconds &);
    void look(const std::chrono::seconds &);
    void f() {
      auto fixed = 1s, doubled = 1s, given = 1s, assigned = 1s, captured = 1s;
      look(fixed);
      auto copy = fixed + 1s;
      doubled *= 2;
      take(given);
      assigned = copy;
      [&] { captured += 1s; }();
    }
  )cpp");
  auto Fixed = [&](llvm::StringRef Name) {
    return Context->get<Durations>().isNeverModified(
        *named<clang::VarDecl>(Name));
  };
  EXPECT_TRUE(Fixed("fixed"));
  EXPECT_FALSE(Fixed("doubled"));
  EXPECT_FALSE(Fixed("given"));
  EXPECT_FALSE(Fixed("assigned"));
  EXPECT_FALSE(Fixed("captured"));
}

} // namespace
