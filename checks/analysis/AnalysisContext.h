//===--- AnalysisContext.h - The questions, for one AST ---------*- C++ -*-===//
//
// Holds the analyses of one ASTContext, so that all checks share what one of
// them has computed. An analysis is any class constructible from
// `AnalysisContext &`; it is made at the first get() and lives as long as the
// context. Not thread-safe: one AST is analysed by one thread.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_ANALYSISCONTEXT_H
#define ASYNC_TIDY_ANALYSIS_ANALYSISCONTEXT_H

#include "SymbolRoles.h"
#include <functional>
#include <map>
#include <memory>
#include <typeindex>

namespace async_tidy {

class AnalysisContext {
public:
  AnalysisContext(clang::ASTContext &Ctx,
                  std::shared_ptr<const ModelSet> Models)
      : Roles(Ctx, std::move(Models)) {}

  clang::ASTContext &ast() const { return Roles.context(); }
  const SymbolRoles &roles() const { return Roles; }

  /// The one instance of the analysis \p A for this AST.
  template <class A> A &get() {
    std::shared_ptr<void> &Slot = Analyses[std::type_index(typeid(A))];
    if (!Slot) {
      // The constructor may itself ask for analyses and so move the map's
      // slots.
      auto Made = std::make_shared<A>(*this);
      Analyses[std::type_index(typeid(A))] = Made;
      return *Made;
    }
    return *static_cast<A *>(Slot.get());
  }

private:
  SymbolRoles Roles;
  std::map<std::type_index, std::shared_ptr<void>> Analyses;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_ANALYSISCONTEXT_H
