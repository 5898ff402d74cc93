//===--- SymbolRoles.cpp --------------------------------------------------===//

#include "SymbolRoles.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace async_tidy {

std::string canonicalName(const NamedDecl &D) {
  llvm::SmallVector<const NamedDecl *, 6> Parts;
  Parts.push_back(&D);
  for (const DeclContext *DC = D.getDeclContext(); DC; DC = DC->getParent()) {
    if (const auto *NS = dyn_cast<NamespaceDecl>(DC)) {
      if (!NS->isInline() && !NS->isAnonymousNamespace())
        Parts.push_back(NS);
    } else if (const auto *RD = dyn_cast<RecordDecl>(DC)) {
      Parts.push_back(RD);
    } else if (const auto *ED = dyn_cast<EnumDecl>(DC)) {
      if (ED->isScoped())
        Parts.push_back(ED);
    }
  }
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  for (const NamedDecl *Part : llvm::reverse(Parts)) {
    if (Part != Parts.back())
      OS << "::";
    if (isa<CXXConstructorDecl, CXXDestructorDecl>(Part)) {
      if (isa<CXXDestructorDecl>(Part))
        OS << '~';
      OS << cast<CXXMethodDecl>(Part)->getParent()->getName();
    } else {
      OS << Part->getDeclName();
    }
  }
  return Name;
}

/// `std::move(x)`, `std::forward<T>(x)`, `std::as_const(x)`: x itself.
static bool isIdentityCall(const CallExpr &Call) {
  const FunctionDecl *FD = Call.getDirectCallee();
  return FD && Call.getNumArgs() == 1 && FD->isInStdNamespace() &&
         FD->getIdentifier() &&
         (FD->getName() == "move" || FD->getName() == "forward" ||
          FD->getName() == "as_const" || FD->getName() == "ref" ||
          FD->getName() == "addressof");
}

static bool sameRecord(QualType A, QualType B) {
  const CXXRecordDecl *RA = A->getAsCXXRecordDecl();
  const CXXRecordDecl *RB = B->getAsCXXRecordDecl();
  return RA && RB && RA->getCanonicalDecl() == RB->getCanonicalDecl();
}

const Expr *stripped(const Expr *E) {
  while (E) {
    const Expr *Before = E;
    E = E->IgnoreParenImpCasts();
    if (const auto *X = dyn_cast<FullExpr>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<CXXBindTemporaryExpr>(E))
      E = X->getSubExpr();
    else if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
      E = X->getExpr();
    else if (const auto *X = dyn_cast<CXXDefaultInitExpr>(E))
      E = X->getExpr();
    else if (const auto *X = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = X->getReplacement();
    else if (const auto *X = dyn_cast<CXXFunctionalCastExpr>(E)) {
      if (X->getCastKind() == CK_ConstructorConversion ||
          X->getCastKind() == CK_NoOp)
        E = X->getSubExpr();
    } else if (const auto *X = dyn_cast<CXXConstructExpr>(E)) {
      if (X->getNumArgs() == 1 &&
          X->getConstructor()->isCopyOrMoveConstructor())
        E = X->getArg(0);
    } else if (const auto *X = dyn_cast<InitListExpr>(E)) {
      if (X->getNumInits() == 1 &&
          sameRecord(X->getType(), X->getInit(0)->getType()))
        E = X->getInit(0);
    } else if (const auto *X = dyn_cast<CallExpr>(E)) {
      if (isIdentityCall(*X))
        E = X->getArg(0);
    }
    if (E == Before)
      return E;
  }
  return E;
}

const NamedDecl *calleeOf(const Expr &E) {
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    return dyn_cast_or_null<NamedDecl>(Call->getCalleeDecl());
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
    return Construct->getConstructor();
  return nullptr;
}

/// Member operators keep their object as argument 0.
static bool firstArgumentIsObject(const CallExpr &Call) {
  if (!isa<CXXOperatorCallExpr>(Call))
    return false;
  const auto *MD = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  return MD && MD->isInstance();
}

llvm::SmallVector<const Expr *, 4> argumentsOf(const Expr &E) {
  llvm::SmallVector<const Expr *, 4> Args;
  if (const auto *Call = dyn_cast<CallExpr>(&E)) {
    Args.append(Call->arg_begin(), Call->arg_end());
    if (firstArgumentIsObject(*Call) && !Args.empty())
      Args.erase(Args.begin());
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E)) {
    Args.append(Construct->arg_begin(), Construct->arg_end());
  } else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(&E)) {
    Args.push_back(Cast->getSubExpr());
  }
  return Args;
}

const Expr *objectOf(const Expr &E) {
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&E))
    return Call->getImplicitObjectArgument();
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    if (firstArgumentIsObject(*Call) && Call->getNumArgs() > 0)
      return Call->getArg(0);
  return nullptr;
}

bool isAwaitableType(QualType T, ASTContext &Ctx) {
  const CXXRecordDecl *RD = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition())
    return false;
  auto HasMember = [&](llvm::StringRef Name) {
    return RD->hasMemberName(DeclarationName(&Ctx.Idents.get(Name)));
  };
  DeclarationName CoAwait = Ctx.DeclarationNames.getCXXOperatorName(OO_Coawait);
  if (HasMember("await_resume") || HasMember("promise_type") ||
      RD->hasMemberName(CoAwait))
    return true;
  // A free operator co_await is found where its type lives.
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(RD);
  for (const DeclContext *DC = RD->getDeclContext(); DC; DC = DC->getParent())
    for (const NamedDecl *D : DC->lookup(CoAwait)) {
      const Decl *Underlying = D->getUnderlyingDecl();
      if (const auto *FTD = dyn_cast<FunctionTemplateDecl>(Underlying))
        Underlying = FTD->getTemplatedDecl();
      const auto *FD = dyn_cast<FunctionDecl>(Underlying);
      if (!FD || FD->getNumParams() != 1)
        continue;
      QualType P = FD->getParamDecl(0)->getType().getNonReferenceType();
      if (sameRecord(P, T.getNonReferenceType()))
        return true;
      if (const auto *TST = P->getAs<TemplateSpecializationType>()) {
        const TemplateDecl *TD = TST->getTemplateName().getAsTemplateDecl();
        if (TD && Spec &&
            Spec->getSpecializedTemplate()->getCanonicalDecl() ==
                TD->getCanonicalDecl())
          return true;
      }
    }
  return false;
}

/// Whether the translation unit declares \p Name.
static bool isDeclared(llvm::StringRef Name, ASTContext &Ctx) {
  const DeclContext *In = Ctx.getTranslationUnitDecl();
  for (;;) {
    auto [Head, Tail] = Name.split("::");
    auto Found = In->lookup(&Ctx.Idents.get(Head));
    if (Found.empty() || Tail.empty())
      return !Found.empty();
    In = dyn_cast<DeclContext>(Found.front());
    if (!In)
      return false;
    Name = Tail;
  }
}

SymbolRoles::SymbolRoles(ASTContext &Ctx,
                         std::shared_ptr<const ModelSet> Models)
    : Ctx(Ctx), Models(std::move(Models)) {
  for (const auto &L : this->Models->libraries())
    for (llvm::StringRef Name : L->Requires)
      if (!isDeclared(Name, Ctx))
        Unused.insert(L.get());
}

SymbolRoles::EntryList SymbolRoles::lookup(llvm::StringRef Name) const {
  EntryList Found = Models->lookup(Name);
  if (!Unused.empty())
    llvm::erase_if(Found,
                   [&](const Entry *E) { return Unused.contains(E->Owner); });
  return Found;
}

const Entry *SymbolRoles::annotation(llvm::StringRef Name) const {
  // "cancellation" reads better on a class than "cancellation-type".
  std::optional<Role> R =
      Name == "cancellation" ? Role::CancellationType : parseRole(Name);
  if (!R)
    return nullptr;
  std::unique_ptr<Entry> &Slot = Annotations[*R];
  if (Slot)
    return Slot.get();
  Slot = std::make_unique<Entry>();
  Slot->Kind = *R;
  Slot->Name = "annotation";
  switch (*R) {
  case Role::Blocking:
    Slot->Category = BlockingCategory::Sync;
    break;
  case Role::Shield:
  case Role::ToValue:
    Slot->Awaitable = {0};
    break;
  case Role::Timeout:
    Slot->Awaitable = {0, 1};
    Slot->Duration = {1, 0};
    Slot->Deadline = {1, 0};
    Slot->Expiry = OnExpiry::CancelsAndWaits;
    break;
  case Role::Sleep:
    Slot->Duration = {0};
    break;
  case Role::Offload:
    Slot->Callable = {-1, 0};
    Slot->Runs = "pool";
    break;
  case Role::InlineCall:
  case Role::Retry:
    Slot->Callable = {-1, 0};
    break;
  default:
    break;
  }
  return Slot.get();
}

void SymbolRoles::addDecl(const Decl *D, EntryList &Out) const {
  if (!D)
    return;
  auto Known = DeclCache.find(D);
  if (Known != DeclCache.end()) {
    Out.append(Known->second.begin(), Known->second.end());
    return;
  }
  EntryList Found;
  auto AddAnnotations = [&](const Decl *On) {
    for (const auto *A : On->specific_attrs<AnnotateAttr>()) {
      llvm::StringRef Text = A->getAnnotation();
      if (Text.consume_front("async-tidy:"))
        if (const Entry *E = annotation(Text))
          Found.push_back(E);
    }
    // Clang's own effect attributes are part of the function's type.
    if (const auto *FD = dyn_cast<FunctionDecl>(On))
      if (const auto *FPT = FD->getType()->getAs<FunctionProtoType>())
        for (const FunctionEffectWithCondition &Effect :
             FPT->getFunctionEffects()) {
          if (Effect.Effect.kind() == FunctionEffect::Kind::Blocking)
            Found.push_back(annotation("blocking"));
          if (Effect.Effect.kind() == FunctionEffect::Kind::NonBlocking)
            Found.push_back(annotation("nonblocking"));
        }
  };
  AddAnnotations(D);
  if (const auto *FD = dyn_cast<FunctionDecl>(D)) {
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern())
      AddAnnotations(Pattern);
  } else if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(D)) {
    AddAnnotations(Spec->getSpecializedTemplate()->getTemplatedDecl());
  }
  if (const auto *ND = dyn_cast<NamedDecl>(D)) {
    const auto *FD = dyn_cast<FunctionDecl>(ND);
    for (const Entry *E : lookup(canonicalName(*ND)))
      if (!E->Owner->CLinkage || (FD ? FD->isExternC() : !isa<VarDecl>(ND)))
        Found.push_back(E);
  }
  Out.append(Found.begin(), Found.end());
  DeclCache[D] = std::move(Found);
}

bool SymbolRoles::conditionsHold(const Entry &En, const Expr &E) const {
  if (!En.MinArgs && !En.MaxArgs && En.IfArgType.empty() &&
      En.UnlessArgType.empty() && !En.ReturnsAwaitable)
    return true;
  auto Args = argumentsOf(E);
  unsigned Written = llvm::count_if(
      Args, [](const Expr *A) { return !isa<CXXDefaultArgExpr>(A); });
  if ((En.MinArgs && Written < *En.MinArgs) ||
      (En.MaxArgs && Written > *En.MaxArgs))
    return false;
  auto HasArgOf = [&](llvm::StringRef Wanted) {
    return llvm::any_of(Args, [&](const Expr *A) {
      for (QualType T : {A->getType(), stripped(A)->getType()}) {
        T = T.getNonReferenceType();
        if (T->isPointerType())
          T = T->getPointeeType();
        if (const TagDecl *TD = T->getAsTagDecl())
          if (canonicalName(*TD) == Wanted)
            return true;
      }
      return false;
    });
  };
  if (!En.IfArgType.empty() && !HasArgOf(En.IfArgType))
    return false;
  if (!En.UnlessArgType.empty() && HasArgOf(En.UnlessArgType))
    return false;
  return !En.ReturnsAwaitable ||
         *En.ReturnsAwaitable == isAwaitableType(E.getType(), Ctx);
}

SymbolRoles::EntryList SymbolRoles::compute(const Expr &E) const {
  EntryList All;
  // A model may know a class by the alias users write.
  auto AddAlias = [&](QualType T) {
    if (const auto *Alias = T->getAs<TypedefType>())
      addDecl(Alias->getDecl(), All);
  };
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
    addDecl(Ref->getDecl(), All);
  } else if (const auto *Member = dyn_cast<MemberExpr>(&E)) {
    addDecl(Member->getMemberDecl(), All);
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E)) {
    addDecl(Construct->getConstructor(), All);
    addDecl(Construct->getConstructor()->getParent(), All);
    AddAlias(E.getType());
  } else if (isa<CXXScalarValueInitExpr, InitListExpr>(E)) {
    addDecl(E.getType()->getAsTagDecl(), All);
    AddAlias(E.getType());
  } else if (isa<CallExpr>(E)) {
    const NamedDecl *Callee = calleeOf(E);
    addDecl(Callee, All);
    const Expr *Object = objectOf(E);
    const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E);
    if (Op && Op->getOperator() == OO_Call && Object)
      if (const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Object)))
        addDecl(Ref->getDecl(), All);
    // The method may be declared in a base; models name the class users see.
    const auto *MD = dyn_cast_or_null<CXXMethodDecl>(Callee);
    if (MD && Object) {
      QualType T = Object->IgnoreParenImpCasts()->getType();
      if (T->isPointerType())
        T = T->getPointeeType();
      const CXXRecordDecl *RD = T.getNonReferenceType()->getAsCXXRecordDecl();
      if (RD && RD->getCanonicalDecl() != MD->getParent()->getCanonicalDecl()) {
        std::string Name = canonicalName(*RD) + "::";
        llvm::raw_string_ostream(Name) << MD->getDeclName();
        auto Entries = lookup(Name);
        All.append(Entries.begin(), Entries.end());
      }
    }
  }
  EntryList Holding;
  for (const Entry *En : All)
    if (conditionsHold(*En, E) && !llvm::is_contained(Holding, En))
      Holding.push_back(En);
  return Holding;
}

llvm::ArrayRef<const Entry *> SymbolRoles::entries(const Expr *E) const {
  if (!E)
    return {};
  auto It = Cache.find(E);
  if (It == Cache.end())
    It = Cache.emplace(E, compute(*E)).first;
  return It->second;
}

const Entry *SymbolRoles::find(const Expr *E, Role R) const {
  for (const Entry *En : entries(E))
    if (En->Kind == R)
      return En;
  return nullptr;
}

const Entry *SymbolRoles::find(const Decl *D, Role R) const {
  EntryList All;
  addDecl(D, All);
  for (const Entry *En : All)
    if (En->Kind == R)
      return En;
  return nullptr;
}

const Entry *SymbolRoles::findType(QualType T, Role R) const {
  if (T.isNull())
    return nullptr;
  const TagDecl *TD = T.getNonReferenceType()->getAsTagDecl();
  if (!TD)
    return nullptr;
  if (const Entry *En = find(static_cast<const Decl *>(TD), R))
    return En;
  if (const auto *RD = dyn_cast<CXXRecordDecl>(TD); RD && RD->hasDefinition())
    for (const CXXBaseSpecifier &Base : RD->bases())
      if (const Entry *En = findType(Base.getType(), R))
        return En;
  return nullptr;
}

const Library *SymbolRoles::libraryOf(QualType T) const {
  const Entry *En = findType(T, Role::Task);
  return En ? En->Owner : nullptr;
}

const Expr *
SymbolRoles::argument(const Expr &Call, const ArgPosition &Position,
                      llvm::function_ref<bool(const Expr &)> Fits) const {
  auto Args = argumentsOf(Call);
  for (int P : Position) {
    int Index = P < 0 ? int(Args.size()) + P : P;
    if (Index < 0 || Index >= int(Args.size()))
      continue;
    if (!Fits || Fits(*Args[Index]))
      return Args[Index];
  }
  return nullptr;
}

QualType wrappedType(QualType T, llvm::ArrayRef<StringRef> Names) {
  const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
  if (!Spec || !Spec->isInStdNamespace() ||
      !llvm::is_contained(Names, Spec->getName()))
    return {};
  const TemplateArgumentList &Args = Spec->getTemplateArgs();
  return Args.size() != 0 && Args[0].getKind() == TemplateArgument::Type
             ? Args[0].getAsType()
             : QualType();
}

bool isInTestMacro(SourceLocation Loc, const SymbolRoles &Roles) {
  const SourceManager &SM = Roles.context().getSourceManager();
  while (Loc.isMacroID()) {
    StringRef Name =
        Lexer::getImmediateMacroName(Loc, SM, Roles.context().getLangOpts());
    if (Roles.models().find(Name, Role::TestMacro))
      return true;
    Loc = SM.getImmediateMacroCallerLoc(Loc);
  }
  return false;
}

} // namespace async_tidy
