//===--- ArgumentEdits.cpp ------------------------------------------------===//

#include "ArgumentEdits.h"

namespace clang::tidy::async {

bool isEditable(const CallExpr &Call) {
  return !Call.getExprLoc().isMacroID() && Call.getRParenLoc().isValid() &&
         !Call.getRParenLoc().isMacroID();
}

FixItHint appendArgument(const CallExpr &Call, StringRef Text) {
  if (!isEditable(Call))
    return {};
  bool Any = llvm::any_of(Call.arguments(), [](const Expr *Arg) {
    return !isa<CXXDefaultArgExpr>(Arg);
  });
  return FixItHint::CreateInsertion(Call.getRParenLoc(),
                                    ((Any ? ", " : "") + Text).str());
}

} // namespace clang::tidy::async
