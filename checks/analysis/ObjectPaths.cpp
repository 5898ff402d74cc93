//===--- ObjectPaths.cpp --------------------------------------------------===//

#include "ObjectPaths.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxDepth = 8;

/// A mark for \p D that is no beginning of another one's.
static std::string mark(const Decl *D) {
  return "#" + llvm::utohexstr(reinterpret_cast<uintptr_t>(D)) + ";";
}

std::string ObjectPaths::of(const ValueDecl &D) {
  return mark(D.getCanonicalDecl());
}

std::string ObjectPaths::member(const std::string &Base,
                                const ValueDecl &Field) {
  return Base + "." + mark(Field.getCanonicalDecl());
}

bool ObjectPaths::isPart(llvm::StringRef Path, llvm::StringRef Whole) {
  return Path.consume_front(Whole) &&
         (Path.empty() || Path.starts_with(".") || Path.starts_with("["));
}

std::string ObjectPaths::ofCall(const CallExpr &Call, unsigned Depth) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return "";
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    switch (Operator->getOperator()) {
    case OO_Arrow:
    case OO_Star:
      return Operator->getNumArgs() == 1 ? of(Operator->getArg(0), Depth) : "";
    case OO_Subscript: {
      std::string Base = of(Operator->getArg(0), Depth);
      std::string At = question(Operator->getArg(1));
      return Base.empty() || At.empty() ? "" : Base + "[" + At + "]";
    }
    default:
      return "";
    }
  }
  const Expr *Object = objectOf(Call);
  if (!Object) {
    // `std::get<0>(pair)`, `std::ref(m)`; a singleton's accessor.
    if (Call.getNumArgs() == 1 && Callee->isInStdNamespace())
      return of(Call.getArg(0), Depth);
    return Call.getNumArgs() == 0 ? mark(Callee->getCanonicalDecl()) : "";
  }
  std::string Base = of(Object, Depth);
  if (Base.empty() || Call.getNumArgs() != 0)
    return "";
  static constexpr llvm::StringRef Same[] = {"get",   "value", "begin",
                                             "front", "back",  "data"};
  if (isa<CXXConversionDecl>(Callee) ||
      (Callee->getIdentifier() && llvm::is_contained(Same, Callee->getName())))
    return Base;
  // `std::mutex &mutex() { return m; }`
  const FunctionBody *Body = Context.get<Coroutines>().body(Callee);
  const auto *Block =
      Body ? dyn_cast_or_null<CompoundStmt>(Body->body()) : nullptr;
  const auto *Return = Block && Block->size() == 1
                           ? dyn_cast<ReturnStmt>(Block->body_front())
                           : nullptr;
  if (Return && Return->getRetValue()) {
    std::string Inner = of(Return->getRetValue(), Depth);
    if (llvm::StringRef(Inner).starts_with("this"))
      return Base + Inner.substr(4);
  }
  return Base + "." + mark(Callee->getCanonicalDecl());
}

std::string ObjectPaths::of(const Expr *E, unsigned Depth) const {
  if (!E || ++Depth > MaxDepth)
    return "";
  E = stripped(E);
  if (isa<CXXThisExpr>(E))
    return "this";
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return of(Cast->getSubExpr(), Depth);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = Ref->getDecl();
    if (const auto *Binding = dyn_cast<BindingDecl>(D)) {
      const auto *Whole =
          dyn_cast_or_null<ValueDecl>(Binding->getDecomposedDecl());
      const auto *Part = dyn_cast_or_null<MemberExpr>(Binding->getBinding());
      if (!Whole)
        return "";
      return Part && !Whole->getType()->getAsCXXRecordDecl()->isInStdNamespace()
                 ? member(of(*Whole), *Part->getMemberDecl())
                 : of(*Whole);
    }
    // A reference or pointer that is set once is another name.
    const auto *Var = dyn_cast<VarDecl>(D);
    if (Var && Var->isLocalVarDecl() && Var->hasInit() &&
        (Var->getType()->isReferenceType() || Var->getType()->isPointerType() ||
         Var->isImplicit())) {
      const Expr *Init = Var->getInit()->IgnoreParenImpCasts();
      if (const auto *Full = dyn_cast<FullExpr>(Init))
        Init = Full->getSubExpr()->IgnoreParenImpCasts();
      std::string Other =
          isa<MaterializeTemporaryExpr>(Init) ? "" : of(Init, Depth);
      if (!Other.empty())
        return Other;
    }
    return of(*D);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (isa<VarDecl>(Member->getMemberDecl()))
      return of(*Member->getMemberDecl());
    std::string Base = of(Member->getBase(), Depth);
    return Base.empty() ? "" : member(Base, *Member->getMemberDecl());
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Deref
               ? of(Unary->getSubExpr(), Depth)
               : "";
  if (const auto *Index = dyn_cast<ArraySubscriptExpr>(E)) {
    std::string Base = of(Index->getBase(), Depth);
    std::string At = question(Index->getIdx());
    return Base.empty() || At.empty() ? "" : Base + "[" + At + "]";
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(*Call, Depth);
  return "";
}

std::string ObjectPaths::outside(llvm::StringRef Inner, const Expr &Call,
                                 const FunctionDecl &Callee) const {
  if (Inner.starts_with("this")) {
    const Expr *Object = objectOf(Call);
    // In a lambda `this` is the one around it.
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    if (Method && Method->getParent()->isLambda())
      return Inner.str();
    std::string Base = Object ? of(Object) : "this";
    return Base.empty() ? "" : Base + Inner.substr(4).str();
  }
  auto Arguments = argumentsOf(Call);
  for (const ParmVarDecl *P : Callee.parameters()) {
    std::string Own = of(*P);
    if (!isPart(Inner, Own))
      continue;
    unsigned At = P->getFunctionScopeIndex();
    std::string Base = At < Arguments.size() ? of(Arguments[At]) : "";
    return Base.empty() ? "" : Base + Inner.substr(Own.size()).str();
  }
  return Inner.str();
}

std::string ObjectPaths::question(const Expr *E) const {
  if (!E)
    return "";
  E = stripped(E);
  if (const auto *Int = dyn_cast<IntegerLiteral>(E))
    return llvm::toString(Int->getValue(), 10, /*Signed=*/false);
  if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(E))
    return Bool->getValue() ? "true" : "false";
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return "null";
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->isIncrementDecrementOp())
    return "";
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp() || Binary->isLogicalOp() ||
        Binary->isCommaOp())
      return "";
    std::string Left = question(Binary->getLHS());
    std::string Right = question(Binary->getRHS());
    return Left.empty() || Right.empty()
               ? ""
               : "(" + Left + Binary->getOpcodeStr().str() + Right + ")";
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || (!Method->isConst() && !isa<CXXConversionDecl>(Method)))
      return "";
    std::string Text = of(Call->getImplicitObjectArgument());
    if (Text.empty())
      return "";
    Text += "." + mark(Method->getCanonicalDecl()) + "(";
    for (const Expr *Arg : argumentsOf(*Call)) {
      std::string Part = question(Arg);
      if (Part.empty())
        return "";
      Text += Part + ",";
    }
    return Text + ")";
  }
  return of(E);
}

} // namespace async_tidy
