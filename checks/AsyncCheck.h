//===--- AsyncCheck.h - What all async checks share -------------*- C++ -*-===//
//
// Base class of the checks. It brings the models (option `AsyncTidyModels`) and
// the analyses, shared by all checks of one translation unit, and visits each
// function once: template patterns are left out, of several instances of one
// template the first that is reported wins, system headers are skipped.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ASYNCCHECK_H
#define ASYNC_TIDY_ASYNCCHECK_H

#include "analysis/AnalysisContext.h"
#include "analysis/Coroutines.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "llvm/ADT/DenseSet.h"

namespace clang::tidy::async {

class AsyncCheck : public ClangTidyCheck {
public:
  AsyncCheck(StringRef Name, ClangTidyContext *Context);

  bool isLanguageVersionSupported(const LangOptions &LangOpts) const override {
    return LangOpts.CPlusPlus20;
  }
  void registerMatchers(ast_matchers::MatchFinder *Finder) final;
  void check(const ast_matchers::MatchFinder::MatchResult &Result) final;
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  /// Called once for each function definition of the file under lint:
  /// functions, members, lambdas, template instances; coroutines and others.
  virtual void checkFunction(const async_tidy::FunctionBody &Body) = 0;

  /// Whether checkFunction() wants \p F, which is no coroutine, too.
  virtual bool wantsPlainFunction(const FunctionDecl &F) { return false; }

  /// Names that the check's own options add to the models, by role.
  using NamesByRole =
      std::vector<std::pair<StringRef, llvm::ArrayRef<StringRef>>>;
  virtual NamesByRole modelFromOptions() const { return {}; }

  /// The analyses of the current file; valid within checkFunction().
  async_tidy::AnalysisContext &analyses() { return *Analyses; }
  const async_tidy::SymbolRoles &roles() { return Analyses->roles(); }
  async_tidy::Coroutines &coroutines() {
    return Analyses->get<async_tidy::Coroutines>();
  }

  /// True the first time it is asked about \p Loc: instances of a template
  /// share locations and are reported once.
  bool firstReportAt(SourceLocation Loc);

private:
  std::string ModelFiles;
  std::shared_ptr<async_tidy::AnalysisContext> Analyses;
  const ASTContext *AnalysedContext = nullptr;
  llvm::DenseSet<const FunctionDecl *> Visited;
  llvm::DenseSet<SourceLocation> Reported;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_ASYNCCHECK_H
