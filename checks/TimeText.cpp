//===--- TimeText.cpp -----------------------------------------------------===//

#include "TimeText.h"
#include "llvm/ADT/StringSwitch.h"

using namespace async_tidy;

namespace clang::tidy::async {

std::optional<double> parseDuration(StringRef Text) {
  Text = Text.trim();
  size_t End = Text.find_first_not_of("0123456789.");
  double Number;
  if (End == 0 || Text.take_front(End).getAsDouble(Number))
    return std::nullopt;
  StringRef Unit = End == StringRef::npos ? "" : Text.drop_front(End).trim();
  double Size = llvm::StringSwitch<double>(Unit)
                    .Case("h", 3600e9)
                    .Case("min", 60e9)
                    .Case("s", 1e9)
                    .Case("ms", 1e6)
                    .Case("us", 1e3)
                    .Case("ns", 1)
                    .Default(0);
  if (Size == 0)
    return std::nullopt;
  return Number * Size;
}

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
      Op && Op->getOperator() == OO_Call && objectOf(*Op)) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(objectOf(*Op))))
      Callee = Ref->getDecl();
    else if (isa<LambdaExpr>(stripped(objectOf(*Op))))
      return "the lambda";
  }
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

void noteChain(ClangTidyCheck &Check, ArrayRef<const FunctionDecl *> Chain) {
  for (const FunctionDecl *F : Chain) {
    // An instance is known by its template's name.
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      F = Pattern;
    if (const auto *Op = dyn_cast<CXXMethodDecl>(F);
        Op && Op->getParent()->isLambda())
      Check.diag(Op->getParent()->getLocation(), "it runs this lambda",
                 DiagnosticIDs::Note);
    else
      Check.diag(F->getLocation(), "it runs %0", DiagnosticIDs::Note) << F;
  }
}

} // namespace clang::tidy::async
