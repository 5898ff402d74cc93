//===--- CancellationArrival.cpp ------------------------------------------===//

#include "CancellationArrival.h"
#include "Tokens.h"
#include "clang/AST/CXXInheritance.h"

using namespace clang;

namespace async_tidy {

/// The variable that \p E names, through `*`, `&` and members.
static const ValueDecl *rootVariableOf(const Expr *E) {
  while ((E = stripped(E))) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else
      return nullptr;
  }
  return nullptr;
}

/// The class named \p Canonical, if this file declares it.
static const CXXRecordDecl *lookupRecord(llvm::StringRef Canonical,
                                         ASTContext &Ctx) {
  llvm::SmallVector<llvm::StringRef, 6> Parts;
  Canonical.split(Parts, "::");
  llvm::SmallVector<const DeclContext *, 4> Scopes = {
      Ctx.getTranslationUnitDecl()};
  for (auto [I, Part] : llvm::enumerate(Parts)) {
    llvm::SmallVector<const DeclContext *, 4> Next;
    for (const DeclContext *Scope : Scopes)
      for (const NamedDecl *D :
           Scope->lookup(DeclarationName(&Ctx.Idents.get(Part)))) {
        const NamedDecl *Found = D->getUnderlyingDecl();
        if (const auto *Alias = dyn_cast<TypedefNameDecl>(Found))
          if (const auto *RD = Alias->getUnderlyingType()->getAsCXXRecordDecl())
            Found = RD;
        if (const auto *Alias = dyn_cast<NamespaceAliasDecl>(Found))
          Found = Alias->getNamespace();
        if (const auto *DC = dyn_cast<DeclContext>(Found))
          Next.push_back(DC->getPrimaryContext());
      }
    Scopes = std::move(Next);
  }
  for (const DeclContext *Scope : Scopes)
    if (const auto *RD = dyn_cast<CXXRecordDecl>(Scope))
      return RD->hasDefinition() ? RD->getDefinition() : RD;
  return nullptr;
}

static const CXXRecordDecl *caughtClass(const CXXCatchStmt &Handler) {
  QualType T = Handler.getCaughtType();
  if (T.isNull())
    return nullptr;
  // Who catches a pointer catches nothing that is thrown as an object.
  return T.getNonReferenceType()->getAsCXXRecordDecl();
}

bool isSameOrBase(const CXXRecordDecl *Base, const CXXRecordDecl *Derived) {
  Base = Base->getCanonicalDecl();
  Derived = Derived->getCanonicalDecl();
  return Base == Derived ||
         (Derived->hasDefinition() && Derived->isDerivedFrom(Base));
}

bool catches(const CXXCatchStmt &Handler, const ThrownCancellation &T) {
  if (Handler.getCaughtType().isNull())
    return true;
  const CXXRecordDecl *Caught = caughtClass(Handler);
  if (!Caught)
    return false;
  if (T.Class)
    return isSameOrBase(Caught, T.Class);
  // The class is not declared here, so only its bases can be meant.
  return T.Model->Owner && T.Model->Owner->DerivesFromStdException &&
         Caught->isInStdNamespace() && Caught->getName() == "exception";
}

CancellationArrivals::CancellationArrivals(AnalysisContext &Context)
    : Context(Context), Roles(Context.roles()) {}

llvm::ArrayRef<ThrownCancellation>
CancellationArrivals::thrownBy(const Library &Lib) {
  auto [It, New] = Forms.try_emplace(&Lib);
  if (!New)
    return It->second;
  Role Wanted = Role::CancellationType;
  if (Lib.Cancellation == Delivery::Code)
    Wanted = Role::CodeException;
  else if (Lib.Cancellation != Delivery::Exception)
    return It->second;
  for (const Entry &En : Lib.Entries) {
    if (En.Kind != Wanted || En.Secondary)
      continue;
    const CXXRecordDecl *Class = lookupRecord(En.Name, Context.ast());
    // Classes below one that is listed already arrive with it.
    bool Covered = llvm::any_of(It->second, [&](const ThrownCancellation &T) {
      return Class && T.Class && isSameOrBase(T.Class, Class);
    });
    if (!Covered)
      It->second.push_back({&En, Class});
  }
  // Several entries are alternatives (versions, spellings): those that this
  // file declares are meant; of none, the first stands for all.
  auto Declared = [](const ThrownCancellation &T) {
    return T.Class != nullptr;
  };
  if (llvm::any_of(It->second, Declared))
    llvm::erase_if(It->second, std::not_fn(Declared));
  else if (It->second.size() > 1)
    It->second.truncate(1);
  return It->second;
}

std::optional<ThrownCancellation>
CancellationArrivals::namedBy(const CXXCatchStmt &Handler) const {
  const CXXRecordDecl *Caught = caughtClass(Handler);
  if (!Caught)
    return std::nullopt;
  const Entry *En =
      Roles.findType(Handler.getCaughtType(), Role::CancellationType);
  if (!En || En->Secondary)
    return std::nullopt;
  return ThrownCancellation{En, Caught};
}

bool CancellationArrivals::isTokenArgument(const TemplateArgument &Arg) const {
  // variant<monostate, source *>
  if (Arg.getKind() == TemplateArgument::Pack)
    return llvm::any_of(Arg.pack_elements(), [&](const TemplateArgument &Part) {
      return isTokenArgument(Part);
    });
  if (Arg.getKind() != TemplateArgument::Type)
    return false;
  QualType T = Arg.getAsType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return Roles.findType(T, Role::Token) || Roles.findType(T, Role::Source);
}

bool CancellationArrivals::holdsToken(QualType T) const {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  if (Roles.findType(T, Role::Token) || Roles.findType(T, Role::Source))
    return true;
  // optional<token>, shared_ptr<source>, reference_wrapper<source>, …
  if (const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
          T->getAsCXXRecordDecl()))
    for (const TemplateArgument &Arg : Spec->getTemplateArgs().asArray())
      if (isTokenArgument(Arg))
        return true;
  return false;
}

bool CancellationArrivals::hasTokenMember(QualType T) const {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return hasTokenMember(T->getAsCXXRecordDecl());
}

bool CancellationArrivals::hasTokenMember(const CXXRecordDecl *Class) const {
  return Class && Class->hasDefinition() &&
         llvm::any_of(Class->getDefinition()->fields(),
                      [&](const FieldDecl *Field) {
                        return holdsToken(Field->getType());
                      });
}

bool CancellationArrivals::isOwnSource(const ValueDecl &Source,
                                       const FunctionBody &Body) {
  const auto *Var = dyn_cast<VarDecl>(&Source);
  if (!Var || !isMadeEmpty(*Var) ||
      !Roles.findType(Var->getType(), Role::Source))
    return false;
  // `outer.subscribe([&own] { own.request(); })` hands a cancellation down.
  auto Mentions = [&](const Stmt *S) {
    bool Found = false;
    walkWritten(S, [&](const Stmt &Part) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
      Found |= Ref && Ref->getDecl() == Var;
      return !Found;
    });
    return Found;
  };
  return llvm::none_of(Body.statements(), [&](const Stmt *S) {
    const auto *Call = dyn_cast<CallExpr>(S);
    if (!Call)
      return false;
    const Expr *Object = objectOf(*Call);
    auto Args = argumentsOf(*Call);
    return ((Object && holdsToken(Object->getType()) &&
             rootVariableOf(Object) != Var) ||
            llvm::any_of(Args,
                         [&](const Expr *Arg) {
                           return holdsToken(Arg->getType()) &&
                                  rootVariableOf(Arg) != Var;
                         })) &&
           llvm::any_of(Args, Mentions);
  });
}

bool CancellationArrivals::isToken(const Stmt &S, const FunctionBody &Body) {
  const auto *E = dyn_cast<Expr>(&S);
  if (!E)
    return false;
  if (Roles.find(E, Role::CancellationCheck))
    return true;
  // `nullptr`, written or by default, is the place where one would be.
  if (!holdsToken(E->getType()) ||
      E->isNullPointerConstant(Context.ast(), Expr::NPC_NeverValueDependent))
    return false;
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return !Ref || !isOwnSource(*Ref->getDecl(), Body);
}

bool CancellationArrivals::onlyOwnSources(const Expr &Await,
                                          const FunctionBody &Body) {
  bool Own = false, Other = false;
  walkWritten(suspensionOperand(Await), [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E || !isa<DeclRefExpr, MemberExpr>(E) || !holdsToken(E->getType()))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    (Ref && isOwnSource(*Ref->getDecl(), Body) ? Own : Other) = true;
    return true;
  });
  return Own && !Other;
}

const CancellationArrivals::TokensUsed *
CancellationArrivals::tokensUsed(const FunctionDecl &F) {
  const FunctionBody *Inside = Context.get<Coroutines>().body(&F);
  if (!Inside)
    return nullptr;
  // A function that calls itself adds nothing to what else it does.
  auto [It, New] = UsedTokens.try_emplace(Inside);
  if (!New)
    return &It->second;
  TokensUsed Used;
  for (const Stmt *S : Inside->statements()) {
    const auto *Call = dyn_cast<CallExpr>(S);
    if (!Call || isa<CXXOperatorCallExpr>(Call))
      continue;
    Used.Own |= Roles.find(Call, Role::CancellationCheck) != nullptr;
    if (!isAwaitableType(Call->getType(), Context.ast()))
      continue;
    Used.Own |= isCancelledInside(*Call);
    for (const Expr *Arg : argumentsOf(*Call)) {
      Used.Own |= hasTokenMember(Arg->getType());
      if (!isToken(*stripped(Arg), *Inside))
        continue;
      const auto *Given =
          dyn_cast_or_null<ParmVarDecl>(rootVariableOf(stripped(Arg)));
      if (Given && Given->getDeclContext() == &Inside->function())
        Used.Parameters.push_back(Given->getFunctionScopeIndex());
      else
        Used.Own = true;
    }
  }
  return &(UsedTokens[Inside] = std::move(Used));
}

bool CancellationArrivals::isCancelledInside(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const TokensUsed *Used = Callee ? tokensUsed(*Callee) : nullptr;
  if (!Used)
    return false;
  auto Args = argumentsOf(Call);
  return Used->Own || llvm::any_of(Used->Parameters, [&](unsigned I) {
           return I < Args.size() && !isa<CXXDefaultArgExpr>(Args[I]) &&
                  !Args[I]->isNullPointerConstant(
                      Context.ast(), Expr::NPC_NeverValueDependent);
         });
}

bool CancellationArrivals::passesToken(const Stmt &Where,
                                       const FunctionBody &Body) {
  bool Found = false;
  walkWritten(&Where, [&](const Stmt &S) {
    if (isa<CXXDefaultArgExpr>(S))
      return false;
    Found |= isToken(S, Body);
    if (const auto *Call = dyn_cast<CallExpr>(&S); Call && !Found)
      Found = isCancelledInside(*Call);
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S); Lambda && !Found)
      if (const TokensUsed *Used = tokensUsed(*Lambda->getCallOperator()))
        Found = Used->Own || !Used->Parameters.empty();
    return !Found;
  });
  return Found;
}

/// \p E calls something that was passed as an object, whatever that does, or is
/// a lambda that does so.
static bool runsUnknownWork(const Expr &E) {
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&E)) {
    bool Found = false;
    walkWritten(Lambda->getBody(), [&](const Stmt &S) {
      const auto *Part = dyn_cast<Expr>(&S);
      Found |= Part && runsUnknownWork(*Part);
      return !Found;
    });
    return Found;
  }
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
  if (!Call || Call->getOperator() != OO_Call)
    return false;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  return Method && !Method->getParent()->isLambda();
}

bool CancellationArrivals::reaches(const Library &Lib, const Stmt &Where,
                                   const FunctionBody &Body) {
  if (Lib.ImplicitPropagation || passesToken(Where, Body))
    return true;
  bool Found = false;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Body.function());
  const bool Around =
      (Method && hasTokenMember(Method->getParent())) ||
      llvm::any_of(Body.function().parameters(), [&](const ParmVarDecl *P) {
        return holdsToken(P->getType());
      });
  walkWritten(&Where, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E || Found)
      return !Found;
    // Without a look into a function, it may well use what its object has.
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    const bool Unseen = !Callee || !Context.get<Coroutines>().body(Callee);
    if (Call && Unseen) {
      const Expr *Object = objectOf(*Call);
      Found = (Object && hasTokenMember(Object->getType())) ||
              llvm::any_of(argumentsOf(*Call), [&](const Expr *Arg) {
                return hasTokenMember(Arg->getType());
              });
    }
    Found |= Around && runsUnknownWork(*E);
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage())
      return !Found;
    // What was made with a token before is awaited now.
    if (isAwaitableType(Var->getType(), Context.ast()) &&
        (isa<ParmVarDecl>(Var) ||
         (Var->getInit() && passesToken(*Var->getInit(), Body))))
      Found = true;
    return !Found;
  });
  return Found;
}

CancellationArrivals::ValueResult
CancellationArrivals::valueResult(const Expr &Suspension) const {
  ValueResult Result;
  walkWritten(suspensionOperand(Suspension), [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    // `co_yield f(co_await …)`: an await inside is asked on its own.
    if (!E || Result.Model || isSuspension(S))
      return false;
    if (const Entry *En = Roles.find(E, Role::ToValue)) {
      Result.Model = En;
      Result.Conversion = E;
      // redirect_error writes to a variable instead of returning the error.
      for (const Expr *Arg : argumentsOf(*E)) {
        if (!Arg->isLValue() ||
            !Roles.findType(Arg->getType(), Role::ErrorCode))
          continue;
        const auto *Ref = dyn_cast<DeclRefExpr>(stripped(Arg));
        const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
        Result.Target = Var;
        Result.Escapes = !Var || !Var->hasLocalStorage() ||
                         Var->getType()->isReferenceType();
      }
      return false;
    }
    return true;
  });
  return Result;
}

/// `delete_object`, `removeFile`: where that fails, what is left over is found
/// again another time.
static bool removesSomething(const FunctionDecl &F) {
  return F.getIdentifier() &&
         llvm::any_of(
             llvm::ArrayRef<llvm::StringRef>{"delete", "remove", "unlink"},
             [&](llvm::StringRef Word) {
               llvm::StringRef Name = F.getName();
               return Name.consume_front(Word) &&
                      (Name.empty() || Name.front() == '_' ||
                       isUppercase(Name.front()));
             });
}

bool CancellationArrivals::cancellable(const Expr &Suspension) const {
  const Expr *Operand = stripped(suspensionOperand(Suspension));
  if (!Operand || Roles.find(Operand, Role::Immediate) ||
      Roles.findType(Operand->getType(), Role::Immediate))
    return false;
  // Behind a shield there is no cancellation.
  if (const Entry *Shield = Roles.find(Operand, Role::Shield)) {
    const Expr *Token = Roles.argument(*Operand, Shield->Token);
    const auto *Made =
        dyn_cast_or_null<CXXConstructExpr>(Token ? stripped(Token) : nullptr);
    if (Shield->When == "always" ||
        (Shield->When == "empty-token" && Made && Made->getNumArgs() == 0))
      return false;
  }
  // What only changes where it runs is as cancellable as what it is given.
  const Expr *Work = Operand;
  if (const auto *Call = dyn_cast<CallExpr>(Operand))
    for (const Expr *Arg : Call->arguments())
      if (isAwaitableType(Arg->getType(), Context.ast()))
        Work = stripped(Arg);
  for (const Expr *E : {Operand, Work})
    if (const Entry *Acquire = Roles.find(E, Role::Acquire);
        Acquire && Acquire->Severs)
      return false;
  // Closing and tidying up is not taken part in by cancellation.
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(*Operand));
  return !Roles.find(Operand, Role::BestEffort) &&
         !(Callee && removesSomething(*Callee));
}

Arrival CancellationArrivals::at(const CXXTryStmt &Try,
                                 const FunctionBody &Body) {
  Arrival Result;
  auto Add = [&](const Library *Lib, const Stmt *Source) {
    if (!Lib)
      return;
    llvm::ArrayRef<ThrownCancellation> Forms = thrownBy(*Lib);
    if (Forms.empty())
      return;
    for (const ThrownCancellation &T : Forms)
      if (llvm::none_of(Result.Thrown, [&](const ThrownCancellation &Known) {
            return Known.Model == T.Model;
          }))
        Result.Thrown.push_back(T);
    if (!Result.Lib) {
      Result.Lib = Lib;
      Result.Source = Source;
    }
  };
  bool Named = false;
  for (unsigned I = 0; I != Try.getNumHandlers(); ++I)
    Named |= namedBy(*Try.getHandler(I)).has_value();

  const Library *Own = Context.get<Coroutines>().library(Body.function());
  const Stmt *FirstSource = nullptr;
  walkWritten(Try.getTryBlock(), [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (!E)
      return true;
    if (Roles.find(E, Role::CancellationCheck)) {
      FirstSource = FirstSource ? FirstSource : E;
      Add(Own, E);
    }
    if (!isSuspension(S) || !cancellable(*E) || valueResult(*E).Model ||
        onlyOwnSources(*E, Body))
      return true;
    FirstSource = FirstSource ? FirstSource : E;
    const Library *Awaited =
        Roles.libraryOf(stripped(suspensionOperand(*E))->getType());
    for (const Library *Lib : {Own, Awaited})
      if (Lib && (Named || reaches(*Lib, *E, Body)))
        Add(Lib, E);
    return true;
  });
  if (!FirstSource)
    return Result;
  // Types that the handlers themselves call a cancellation arrive as well: the
  // project's own, those of other libraries.
  for (unsigned I = 0; I != Try.getNumHandlers(); ++I)
    if (std::optional<ThrownCancellation> T = namedBy(*Try.getHandler(I))) {
      if (llvm::any_of(Result.Thrown, [&](const ThrownCancellation &Known) {
            return Known.Class && Known.Class->getCanonicalDecl() ==
                                      T->Class->getCanonicalDecl();
          }))
        continue;
      Result.Thrown.push_back(*T);
      if (!Result.Source) {
        Result.Source = FirstSource;
        Result.Lib = T->Model->Owner;
      }
    }
  return Result;
}

} // namespace async_tidy
