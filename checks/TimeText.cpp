//===--- TimeText.cpp -----------------------------------------------------===//

#include "TimeText.h"

using namespace async_tidy;

namespace clang::tidy::async {

std::string timeText(const Amount &A, const Expr *E, StringRef Else) {
  if (A.exact())
    return formatDuration(*A.Low);
  if (A.High)
    return "up to " + formatDuration(*A.High);
  const NamedDecl *Named = A.DependsOn;
  if (E)
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(E)))
      Named = Ref->getDecl();
  if (Named && Named->getDeclName().isIdentifier())
    return ("'" + Named->getName() + "'").str();
  return Else.str();
}

std::string calleeText(const Expr *E) {
  const NamedDecl *Callee = calleeOf(*E);
  // A function object is known by its variable.
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
      Op && Op->getOperator() == OO_Call && objectOf(*Op))
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(objectOf(*Op))))
      Callee = Ref->getDecl();
  if (const auto *Constructor = dyn_cast_or_null<CXXConstructorDecl>(Callee))
    Callee = Constructor->getParent();
  if (!Callee || Callee->getNameAsString().empty())
    return "a shield";
  return "'" + Callee->getNameAsString() + "'";
}

bool isNamed(const FunctionDecl &F, ArrayRef<StringRef> Names) {
  if (Names.empty())
    return false;
  std::string Full = canonicalName(F);
  return llvm::any_of(Names, [&](StringRef Name) {
    Name.consume_front("::");
    return Full == Name || F.getNameAsString() == Name;
  });
}

void noteOrigins(ClangTidyCheck &Check, ArrayRef<AmountOrigin> Origins,
                 bool ByDefault) {
  // The outermost name is what the reader sees; what it is made of follows.
  for (const AmountOrigin &O : Origins.take_front(2)) {
    if (!O.Name->getLocation().isValid())
      continue;
    std::string Value = O.IsDuration ? formatDuration(O.Value)
                                     : std::to_string(int64_t(O.Value));
    Check.diag(O.Name->getLocation(), "%0 is %1%select{| by default}2",
               DiagnosticIDs::Note)
        << O.Name << Value << ByDefault;
  }
}

} // namespace clang::tidy::async
