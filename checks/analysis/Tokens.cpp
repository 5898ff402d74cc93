//===--- Tokens.cpp -------------------------------------------------------===//

#include "Tokens.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace async_tidy {

QualType Tokens::unwrapped(QualType T) const {
  for (unsigned Depth = 0; Depth != 3 && !T.isNull(); ++Depth) {
    T = T.getNonReferenceType();
    if (T->isPointerType()) {
      T = T->getPointeeType();
      continue;
    }
    QualType Inner = wrappedType(T, {"optional", "reference_wrapper"});
    if (Inner.isNull())
      break;
    T = Inner;
  }
  return T.getNonReferenceType().getUnqualifiedType();
}

const Entry *Tokens::carriedBy(QualType T) const {
  QualType Plain = unwrapped(T);
  if (Plain.isNull())
    return nullptr;
  if (const Entry *En = Roles.findType(Plain, Role::Source))
    return En;
  return Roles.findType(Plain, Role::Token);
}

/// \p Body itself cancels others with \p Source: it is not what cancels it.
static bool cancelsWith(const FunctionBody &Body, const ValueDecl &Source,
                        const SymbolRoles &Roles) {
  return llvm::any_of(Body.statements(), [&](const Stmt *S) {
    const auto *Call = dyn_cast<CallExpr>(S);
    const Expr *Object = Call ? objectOf(*Call) : nullptr;
    if (!Object || !Roles.find(Call, Role::CancellationRequest))
      return false;
    Object = stripped(Object);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Object))
      return Ref->getDecl() == &Source;
    const auto *Member = dyn_cast<MemberExpr>(Object);
    return Member && Member->getMemberDecl() == &Source;
  });
}

llvm::SmallVector<ReachableToken, 2> Tokens::reachable(const FunctionBody &Body,
                                                       const Stmt &At) const {
  llvm::SmallVector<ReachableToken, 2> Found;
  auto Add = [&](ReachableToken::Origin From, const ValueDecl *D) {
    if (!D || D->getDeclName().isEmpty() ||
        llvm::any_of(Found,
                     [&](const ReachableToken &R) { return R.Decl == D; }))
      return;
    const Entry *Model = carriedBy(D->getType());
    if (Model && !(Model->Owner && Model->Owner->ImplicitPropagation) &&
        !Roles.findType(D->getType(), Role::Deadline) &&
        !cancelsWith(Body, *D, Roles))
      Found.push_back({From, D, Model});
  };
  const FunctionDecl &F = Body.function();
  for (const ParmVarDecl *P : F.parameters())
    Add(ReachableToken::Parameter, P);
  if (const LambdaExpr *Lambda = Context.get<Coroutines>().lambda(F))
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable())
        Add(ReachableToken::Capture, C.getCapturedVar());
  for (const Stmt *S : Body.statements()) {
    if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
      const Stmt *Scope = Body.parent(S);
      if (S->getEndLoc() < At.getBeginLoc() && Body.contains(Scope, &At))
        for (const Decl *D : Decls->decls())
          // A source that is made here is for what is started with it.
          if (const auto *Var = dyn_cast<VarDecl>(D);
              Var && (Var->getType()->isReferenceType() ||
                      !Roles.findType(Var->getType(), Role::Source)))
            Add(ReachableToken::Local, Var);
    } else if (const auto *Member = dyn_cast<MemberExpr>(S);
               Member && isa<CXXThisExpr>(stripped(Member->getBase()))) {
      // A member may be about something else; used here, it is about this.
      Add(ReachableToken::Member, dyn_cast<FieldDecl>(Member->getMemberDecl()));
    }
  }
  return Found;
}

std::string Tokens::spelledFor(QualType Wanted, QualType Have,
                               StringRef Name) const {
  const CXXRecordDecl *To = unwrapped(Wanted)->getAsCXXRecordDecl();
  const CXXRecordDecl *From = unwrapped(Have)->getAsCXXRecordDecl();
  if (!To || !From)
    return "";
  bool HavePointer = Have.getNonReferenceType()->isPointerType();
  bool WantPointer = Wanted.getNonReferenceType()->isPointerType();
  if (To->getCanonicalDecl() == From->getCanonicalDecl() ||
      (From->hasDefinition() && From->isDerivedFrom(To))) {
    // A const token cannot be given to who wants to change it.
    QualType Target =
        WantPointer ? Wanted.getNonReferenceType()->getPointeeType() : Wanted;
    if ((Wanted->isLValueReferenceType() || WantPointer) &&
        !Target.getNonReferenceType().isConstQualified() &&
        (HavePointer ? Have.getNonReferenceType()->getPointeeType()
                     : Have.getNonReferenceType())
            .isConstQualified())
      return "";
    if (HavePointer == WantPointer)
      return Name.str();
    return (WantPointer ? "&" : "*") + Name.str();
  }
  // `source.get_token()`
  if (!WantPointer && From->hasDefinition())
    for (const CXXMethodDecl *Method : From->getDefinition()->methods())
      if (Method->getNumParams() == 0 && Method->getIdentifier() &&
          Method->getAccess() == AS_public &&
          unwrapped(Method->getReturnType())->getAsCXXRecordDecl() == To)
        return (Name + (HavePointer ? "->" : ".") + Method->getName() + "()")
            .str();
  return "";
}

/// Arguments that are written, not taken from defaults.
static unsigned writtenArguments(const CallExpr &Call) {
  unsigned N = 0;
  for (const Expr *Arg : argumentsOf(Call)) {
    if (isa<CXXDefaultArgExpr>(Arg))
      break;
    ++N;
  }
  return N;
}

/// \p Other can stand where \p Callee is called with \p Written arguments, if
/// it is given one more, number \p Index.
static bool isTwin(const FunctionDecl &Other, unsigned Index,
                   const FunctionDecl &Callee, unsigned Written) {
  unsigned At = 0;
  for (unsigned I = 0; I != Other.getNumParams(); ++I) {
    const ParmVarDecl *P = Other.getParamDecl(I);
    if (I == Index)
      continue;
    if (At == Written) {
      if (!P->hasDefaultArg())
        return false;
      continue;
    }
    if (At >= Callee.getNumParams())
      return false;
    auto Plain = [](QualType T) {
      return T.getCanonicalType().getNonReferenceType().getUnqualifiedType();
    };
    if (Plain(P->getType()) != Plain(Callee.getParamDecl(At)->getType()))
      return false;
    ++At;
  }
  return At == Written;
}

std::optional<OmittedParameter>
Tokens::omitted(const CallExpr &Call, const FunctionDecl &Caller,
                llvm::function_ref<bool(const ParmVarDecl &)> Wanted) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Callee->isVariadic() || isa<CXXOperatorCallExpr>(Call))
    return std::nullopt;
  unsigned Written = writtenArguments(Call);
  for (unsigned I = Written; I < Callee->getNumParams(); ++I)
    if (Wanted(*Callee->getParamDecl(I)))
      return OmittedParameter{Callee, I, true, I == Written};
  const FunctionTemplateDecl *Primary = Callee->getPrimaryTemplate();
  const FunctionDecl &Pattern =
      Primary ? *Primary->getTemplatedDecl() : *Callee;
  const DeclContext *Scope = Pattern.getDeclContext();
  if (!Pattern.getDeclName().isIdentifier())
    return std::nullopt;
  for (const NamedDecl *D : Scope->lookup(Pattern.getDeclName())) {
    D = D->getUnderlyingDecl();
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    const auto *Other = dyn_cast<FunctionDecl>(D);
    if (!Other || Other->isDeleted() || Other->hasAttr<DeprecatedAttr>() ||
        Other->getCanonicalDecl() == Pattern.getCanonicalDecl() ||
        // The overload without a token is often written with the other one.
        Other->getCanonicalDecl() == Caller.getCanonicalDecl() ||
        Other->getTemplateInstantiationPattern() == &Caller)
      continue;
    const auto *Own = dyn_cast<CXXMethodDecl>(&Caller);
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Other);
        Method && Method->getAccess() != AS_public &&
        !(Own && Own->getParent()->getCanonicalDecl() ==
                     Method->getParent()->getCanonicalDecl()))
      continue;
    for (unsigned I = 0; I != Other->getNumParams(); ++I)
      if (Wanted(*Other->getParamDecl(I)) &&
          isTwin(*Other, I, Pattern, Written))
        return OmittedParameter{Other, I, false, I == Written};
  }
  return std::nullopt;
}

bool isMadeEmpty(const VarDecl &Var) {
  if (!Var.hasLocalStorage() || isa<ParmVarDecl>(Var) ||
      Var.getType()->isReferenceType() || !Var.getInit())
    return false;
  const auto *Made = dyn_cast<CXXConstructExpr>(stripped(Var.getInit()));
  return Made && argumentsOf(*Made).empty();
}

bool isTidyingUp(const FunctionDecl &F, const SymbolRoles &Roles) {
  return isNamedAsTidyingUp(F) || Roles.find(&F, Role::BestEffort);
}

bool isNamedAsTidyingUp(const FunctionDecl &F) {
  if (isa<CXXDestructorDecl>(F))
    return true;
  if (!F.getIdentifier())
    return false;
  constexpr StringRef Words[] = {
      "abort",     "cancel",     "clean",    "cleanup",  "close",    "detach",
      "discard",   "disconnect", "dispose",  "drain",    "finalize", "quit",
      "release",   "revert",     "rollback", "shutdown", "stop",     "teardown",
      "terminate", "undo",       "unwind"};
  StringRef Name = F.getName();
  std::string Word;
  auto Says = [&] {
    bool Found = llvm::is_contained(Words, StringRef(Word));
    Word.clear();
    return Found;
  };
  for (char C : Name) {
    if (C == '_' || isUppercase(C)) {
      if (Says())
        return true;
    }
    if (C != '_')
      Word += toLowercase(C);
  }
  return Says();
}

} // namespace async_tidy
