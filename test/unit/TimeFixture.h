//===--- TimeFixture.h - Code snippets for the analyses of time -*- C++ -*-===//
//
// Parses a snippet that has a small coroutine library in front of it, with a
// model of that library, and finds things in it by name.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TEST_UNIT_TIMEFIXTURE_H
#define ASYNC_TIDY_TEST_UNIT_TIMEFIXTURE_H

#include "checks/analysis/Coroutines.h"
#include "checks/analysis/Durations.h"
#include "checks/analysis/Limits.h"
#include "checks/analysis/RetryLoops.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

namespace async_tidy {

/// The library of the snippets: `limit` is a timeout, `nap` a sleep, `keep` a
/// shield, by annotation.
inline constexpr char Prelude[] = R"cpp(
#include <chrono>
#include <coroutine>
#include <exception>
#include <algorithm>
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
template <class T> struct task {
  struct promise_type {
    task get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void unhandled_exception();
    void return_value(T);
  };
  task(task &&);
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  T await_resume();
};
[[clang::annotate("async-tidy:timeout")]] task<int> limit(task<int>, std::chrono::nanoseconds);
[[clang::annotate("async-tidy:sleep")]] task<int> nap(std::chrono::nanoseconds);
[[clang::annotate("async-tidy:shield")]] task<int> keep(task<int>);
task<int> op();
)cpp";

class TimeFixture : public testing::Test {
protected:
  void parse(const std::string &Code) {
    Unit = clang::tooling::buildASTFromCodeWithArgs(
        Prelude + Code,
        {"-std=c++20", "-resource-dir", ASYNC_TIDY_RESOURCE_DIR});
    ASSERT_TRUE(Unit);
    ASSERT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
    auto Models = ModelSet::load({});
    ASSERT_TRUE(bool(Models)) << llvm::toString(Models.takeError());
    Context = std::make_unique<AnalysisContext>(Unit->getASTContext(), *Models);
  }

  template <class D> const D *named(llvm::StringRef Name) {
    struct Finder : clang::RecursiveASTVisitor<Finder> {
      llvm::StringRef Name;
      const D *Found = nullptr;
      bool VisitNamedDecl(clang::NamedDecl *Candidate) {
        const auto *Match = llvm::dyn_cast<D>(Candidate);
        if (Match && Match->getDeclName().isIdentifier() &&
            Match->getName() == Name)
          Found = Match;
        return true;
      }
    } F;
    F.Name = Name;
    F.TraverseAST(Unit->getASTContext());
    return F.Found;
  }

  const FunctionBody &body(llvm::StringRef Function) {
    return *Context->get<Coroutines>().body(
        named<clang::FunctionDecl>(Function));
  }

  /// The value of the variable \p Name of the snippet.
  Amount value(llvm::StringRef Name) {
    return Context->get<Durations>().fold(
        named<clang::VarDecl>(Name)->getAnyInitializer());
  }

  /// The retry around the \p Index-th await of \p Function.
  std::optional<RetryLoop> retry(llvm::StringRef Function, unsigned Index = 0) {
    const FunctionBody &Body = body(Function);
    return Context->get<RetryLoops>().around(Body, Body.suspensions()[Index]);
  }

  llvm::SmallVector<Limit, 2> limits(llvm::StringRef Function,
                                     unsigned Index = 0) {
    const FunctionBody &Body = body(Function);
    return Context->get<Limits>().limitsIn(
        Body, suspensionOperand(*Body.suspensions()[Index]));
  }

  std::unique_ptr<clang::ASTUnit> Unit;
  std::unique_ptr<AnalysisContext> Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_TEST_UNIT_TIMEFIXTURE_H
