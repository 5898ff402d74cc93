//===--- AnalysedCode.h - A snippet with its analyses -----------*- C++ -*-===//
//
// Parses a snippet as C++20 and gives access to its functions and analyses, for
// tests of the analysis units. The snippet can use `task<T>`, a coroutine type
// that the built-in models know nothing of, and what its own includes bring.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TEST_UNIT_ANALYSEDCODE_H
#define ASYNC_TIDY_TEST_UNIT_ANALYSEDCODE_H

#include "checks/analysis/AnalysisContext.h"
#include "checks/analysis/Coroutines.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

namespace async_tidy {

class AnalysedCode {
public:
  /// \p Model is the text of a model file for the snippet's own names, or
  /// nothing.
  explicit AnalysedCode(const std::string &Code,
                        const std::string &Model = "") {
    const std::string Prelude = R"cpp(
#include <coroutine>
#include <exception>
template <class T> struct task_result { template <class U> void return_value(U &&); };
template <> struct task_result<void> { void return_void(); };
template <class T = void> struct task {
  struct promise_type : task_result<T> {
    task get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void unhandled_exception();
  };
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  T await_resume();
};
)cpp";
    Unit = clang::tooling::buildASTFromCodeWithArgs(
        Prelude + Code,
        {"-std=c++20", "-fsyntax-only", "-resource-dir",
         ASYNC_TIDY_RESOURCE_DIR},
        "snippet.cpp");
    if (!Unit || Unit->getDiagnostics().hasUncompilableErrorOccurred()) {
      ADD_FAILURE() << "the snippet does not compile";
      return;
    }
    auto Models = ModelSet::load({}, Model);
    if (!Models) {
      ADD_FAILURE() << llvm::toString(Models.takeError());
      return;
    }
    Context = std::make_unique<AnalysisContext>(Unit->getASTContext(),
                                                std::move(*Models));
  }

  AnalysisContext &context() { return *Context; }

  /// The definition of the function \p Name (the first instance of a template).
  const clang::FunctionDecl *function(llvm::StringRef Name) {
    struct Finder : clang::RecursiveASTVisitor<Finder> {
      llvm::StringRef Name;
      const clang::FunctionDecl *Found = nullptr;
      bool shouldVisitTemplateInstantiations() const { return true; }
      bool VisitFunctionDecl(clang::FunctionDecl *F) {
        if (!Found && F->isThisDeclarationADefinition() && F->getIdentifier() &&
            F->getName() == Name && !F->isDependentContext())
          Found = F;
        return true;
      }
    } Visitor;
    Visitor.Name = Name;
    Visitor.TraverseDecl(Unit->getASTContext().getTranslationUnitDecl());
    if (!Visitor.Found)
      ADD_FAILURE() << "no function " << Name.str();
    return Visitor.Found;
  }

  const FunctionBody &body(llvm::StringRef Name) {
    return *Context->get<Coroutines>().body(function(Name));
  }

  /// The first statement of class \p T in the body of \p Name.
  template <class T> const T *first(llvm::StringRef Name) {
    for (const clang::Stmt *S : body(Name).statements())
      if (const auto *Found = llvm::dyn_cast<T>(S))
        return Found;
    ADD_FAILURE() << "no such statement in " << Name.str();
    return nullptr;
  }

private:
  std::unique_ptr<clang::ASTUnit> Unit;
  std::unique_ptr<AnalysisContext> Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_TEST_UNIT_ANALYSEDCODE_H
