#include "checks/analysis/CancellationFlow.h"
#include "AnalysedCode.h"

namespace async_tidy {
namespace {

/// Cancellation of `task` is the exception `stopped`.
const char *const Model = R"json({
  "library": "snippet", "title": "snippet",
  "cancellation": {"delivery": "exception", "propagation": "implicit"},
  "entries": {
    "task": ["task"], "cancellation-type": ["stopped"],
    "cancellation-test": ["asked_to_stop"]
  }
})json";
const std::string Head =
    "struct stopped : std::exception {}; task<int> step();\n"
    "void note(); bool unknown(); bool asked_to_stop();\n";

/// The ends of the paths from the handler of the first `try` in `f`.
std::set<PathEnd> ends(const std::string &Code) {
  AnalysedCode Snippet(Head + Code, Model);
  const FunctionBody &Body = Snippet.body("f");
  const auto *Try = Snippet.first<clang::CXXTryStmt>("f");
  Arrival Arriving =
      Snippet.context().get<CancellationArrivals>().at(*Try, Body);
  EXPECT_EQ(Arriving.Thrown.size(), 1u);
  FlowResult Flow = Snippet.context().get<CancellationFlow>().fromHandler(
      Body, *Try, *Try->getHandler(0), Arriving.Thrown);
  EXPECT_TRUE(Flow.Complete);
  std::set<PathEnd> Ends;
  for (const PathOutcome &O : Flow.Outcomes)
    Ends.insert(O.End);
  return Ends;
}

using Ends = std::set<PathEnd>;

TEST(CancellationFlow, FollowsEachWayOut) {
  EXPECT_EQ(ends("task<int> f() { try { co_return co_await step(); } catch "
                 "(...) { throw; } }"),
            Ends{PathEnd::Propagates});
  EXPECT_EQ(ends("task<int> f() { try { co_return co_await step(); } catch "
                 "(...) { co_return 0; } }"),
            Ends{PathEnd::Returns});
  EXPECT_EQ(ends("task<> f() { try { co_await step(); } catch (...) { } }"),
            Ends{PathEnd::FallsOff});
  EXPECT_EQ(
      ends("task<> f() { try { co_await step(); } catch (...) { throw 1; } }"),
      Ends{PathEnd::Converts});
  EXPECT_EQ(ends("task<> f() { try { co_await step(); } catch (...) { "
                 "std::terminate(); } }"),
            Ends{PathEnd::Terminates});
}

TEST(CancellationFlow, ExploresUnknownConditionsOnBothSides) {
  EXPECT_EQ(ends("task<> f() { try { co_await step(); } catch (...) { if "
                 "(unknown()) throw; } }"),
            (Ends{PathEnd::Propagates, PathEnd::FallsOff}));
}

TEST(CancellationFlow, KnowsWhatTheHandlerSet) {
  EXPECT_EQ(
      ends("task<> f() { bool failed = false; try { co_await step(); }"
           " catch (...) { failed = true; } if (failed) throw stopped(); }"),
      Ends{PathEnd::Propagates});
  EXPECT_EQ(ends("task<> f() { std::exception_ptr p; try { co_await step(); }"
                 " catch (...) { p = std::current_exception(); }"
                 " if (p != nullptr) std::rethrow_exception(p); }"),
            Ends{PathEnd::Propagates});
  EXPECT_EQ(ends("task<> f() { std::exception_ptr p; try { co_await step(); }"
                 " catch (...) { p = std::current_exception(); } p = nullptr;"
                 " if (p) std::rethrow_exception(p); }"),
            Ends{PathEnd::FallsOff});
}

TEST(CancellationFlow, CurrentExceptionEndsWithTheHandler) {
  EXPECT_EQ(ends("task<> f() { try { co_await step(); } catch (...) { note(); }"
                 " if (auto p = std::current_exception()) "
                 "std::rethrow_exception(p); }"),
            Ends{PathEnd::FallsOff});
}

TEST(CancellationFlow, SeesTheWorkBegunAgain) {
  EXPECT_EQ(ends("task<> f() { for (;;) { try { co_await step(); co_return; } "
                 "catch (...) { } } }"),
            Ends{PathEnd::Retries});
  EXPECT_EQ(ends("task<> f() { while (!asked_to_stop()) { try { co_await "
                 "step(); } catch (...) { } } }"),
            Ends{PathEnd::Acknowledged});
}

TEST(CancellationFlow, LooksIntoHelpers) {
  EXPECT_EQ(
      ends("void again() { throw; }"
           "task<> f() { try { co_await step(); } catch (...) { again(); } }"),
      Ends{PathEnd::Propagates});
  EXPECT_EQ(
      ends("void deep(int n) { if (n) deep(n - 1); }"
           "task<> f() { try { co_await step(); } catch (...) { deep(3); } }"),
      Ends{PathEnd::FallsOff});
}

TEST(CancellationFlow, ChoosesTheNestedHandlerByType) {
  EXPECT_EQ(
      ends(
          "struct other {}; task<> f() { try { co_await step(); } catch (...) {"
          " try { throw; } catch (other &) { } catch (const stopped &) { "
          "throw; } } }"),
      Ends{PathEnd::Propagates});
}

TEST(CancellationFlow, GivesUpInsteadOfGuessing) {
  std::string Code = "task<> f(bool *b) { bool v[1]; ";
  for (int I = 0; I < 14; ++I)
    Code += "bool v" + std::to_string(I) + " = false; ";
  Code += "try { co_await step(); } catch (...) { ";
  for (int I = 0; I < 14; ++I)
    Code += "if (unknown()) v" + std::to_string(I) + " = true; else v" +
            std::to_string(I) + " = false; ";
  Code += "} }";
  AnalysedCode Snippet(Head + Code, Model);
  const FunctionBody &Body = Snippet.body("f");
  const auto *Try = Snippet.first<clang::CXXTryStmt>("f");
  FlowResult Flow = Snippet.context().get<CancellationFlow>().fromHandler(
      Body, *Try, *Try->getHandler(0),
      Snippet.context().get<CancellationArrivals>().at(*Try, Body).Thrown);
  EXPECT_FALSE(Flow.Complete);
}

} // namespace
} // namespace async_tidy
