// Which tokens are at hand, and which calls could have taken one.

#include "checks/analysis/Tokens.h"
#include "AnalysedCode.h"

using namespace async_tidy;
using namespace clang;

namespace {

constexpr const char *Model = R"json({
  "library": "acme",
  "cancellation": {"delivery": "exception", "propagation": "token"},
  "entries": {
    "task": ["task"],
    "token": ["acme::stop"],
    "source": ["acme::stopper"],
    "cancellation-request": ["acme::stopper::fire"]
  }
})json";

constexpr const char *Library = R"cpp(
namespace acme {
struct stop {};
struct stopper { stop get() const; void fire(); };
}
task<> plain(int);
task<> defaulted(int, acme::stop = {});
task<> overloaded(int);
task<> overloaded(int, acme::stop);
task<> other(int);
task<> other(long, acme::stop);
task<> inFront(int);
task<> inFront(acme::stop, int);
)cpp";

struct TokensTest : testing::Test {
  /// The names that are at hand in `f` where it calls `plain`.
  std::vector<std::string> atHand(const std::string &Code) {
    AnalysedCode A(Library + Code, Model);
    const FunctionBody *Body =
        A.context().get<Coroutines>().body(A.function("f"));
    std::vector<std::string> Names;
    for (const Stmt *S : Body->statements())
      if (const auto *Call = dyn_cast<CallExpr>(S))
        if (Call->getDirectCallee()->getName() == "plain")
          for (const ReachableToken &T :
               A.context().get<Tokens>().reachable(*Body, *Call))
            Names.push_back(T.Decl->getNameAsString());
    return Names;
  }
  /// What the one call in `f` leaves out.
  std::optional<OmittedParameter> omitted(const std::string &Call) {
    Code = std::make_unique<AnalysedCode>(
        std::string(Library) + "task<> f(acme::stop s) { co_await " + Call +
            "; }",
        Model);
    const FunctionBody *Body =
        Code->context().get<Coroutines>().body(Code->function("f"));
    const Tokens &All = Code->context().get<Tokens>();
    for (const Stmt *S : Body->statements())
      if (const auto *E = dyn_cast<CallExpr>(S))
        return All.omitted(*E, Body->function(), [&](const ParmVarDecl &P) {
          return All.carriedBy(P.getType()) != nullptr;
        });
    return std::nullopt;
  }
  std::unique_ptr<AnalysedCode> Code;
};

using Names = std::vector<std::string>;

TEST_F(TokensTest, ParametersLocalsAndUsedMembersAreAtHand) {
  EXPECT_EQ(atHand("task<> f(acme::stop s) { co_await plain(1); }"),
            Names{"s"});
  EXPECT_EQ(atHand("task<> f(const acme::stopper *s) { co_await plain(1); }"),
            Names{"s"});
  EXPECT_EQ(atHand("task<> f(acme::stop s) {"
                   "  auto t = s; co_await plain(1); acme::stop later; }"),
            (Names{"s", "t"}));
  EXPECT_EQ(atHand("struct C { acme::stop m, unused;"
                   "  task<> f() { co_await plain(1); auto t = m; } };"),
            Names{"m"});
}

TEST_F(TokensTest, SourcesForOthersAreNot) {
  EXPECT_EQ(atHand("task<> f() { acme::stopper own; co_await plain(1); }"),
            Names{});
  EXPECT_EQ(
      atHand("task<> f(acme::stopper s) { co_await plain(1); s.fire(); }"),
      Names{});
}

TEST_F(TokensTest, ACallCanLeaveOutADefaultOrAnOverload) {
  auto ByDefault = omitted("defaulted(1)");
  ASSERT_TRUE(ByDefault);
  EXPECT_TRUE(ByDefault->ByDefault);
  EXPECT_TRUE(ByDefault->Appendable);
  auto Overload = omitted("overloaded(1)");
  ASSERT_TRUE(Overload);
  EXPECT_FALSE(Overload->ByDefault);
  EXPECT_TRUE(Overload->Appendable);
  auto InFront = omitted("inFront(1)");
  ASSERT_TRUE(InFront);
  EXPECT_FALSE(InFront->Appendable);
}

TEST_F(TokensTest, WhatIsGivenOrTakesOtherArgumentsIsNotLeftOut) {
  EXPECT_FALSE(omitted("plain(1)"));
  EXPECT_FALSE(omitted("defaulted(1, s)"));
  EXPECT_FALSE(omitted("other(1)"));
}

TEST(TidyingUp, IsAWholeWordOfTheName) {
  AnalysedCode A("void stop_all(); void closeQuietly(); void closest();"
                 "void f() {} void stop_all() {} void closeQuietly() {}"
                 "void closest() {}");
  EXPECT_TRUE(isNamedAsTidyingUp(*A.function("stop_all")));
  EXPECT_TRUE(isNamedAsTidyingUp(*A.function("closeQuietly")));
  EXPECT_FALSE(isNamedAsTidyingUp(*A.function("closest")));
}

} // namespace
