//===--- LockTaking.cpp - What new objects own of locks -------------------===//

#include "LockFlow.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// Sites, paths, scopes
//===----------------------------------------------------------------------===//

const LockSite *HeldLocks::Flow::site(const void *Key, const std::string &Path,
                                      LockSite Made) {
  const LockSite *&Slot = Sites[{Key, Path}];
  if (!Slot) {
    Out.Sites.push_back(std::make_unique<LockSite>(std::move(Made)));
    Slot = Out.Sites.back().get();
  }
  return Slot;
}

const Stmt *HeldLocks::Flow::scopeOf(const VarDecl *Var) const {
  return Var ? Scopes.lookup(Var) : nullptr;
}

std::string HeldLocks::Flow::lockText(const Expr &By) const {
  // What another function calls it means nothing here.
  if (!Body.isWritten(&By))
    return "";
  const Expr *Lock = objectOf(By);
  for (const Expr *Arg : argumentsOf(By)) {
    if (Lock)
      break;
    if (!isa<CXXDefaultArgExpr>(Arg))
      Lock = Arg;
  }
  if (!Lock)
    return "";
  Lock = stripped(Lock);
  if (const auto *Address = dyn_cast<UnaryOperator>(Lock);
      Address && Address->getOpcode() == UO_AddrOf)
    Lock = stripped(Address->getSubExpr());
  if (isa<CXXThisExpr>(Lock) || isa<CXXConstructExpr, CallExpr>(Lock))
    return "";
  const ASTContext &Ctx = Context.ast();
  return Lexer::getSourceText(
             Lexer::makeFileCharRange(
                 CharSourceRange::getTokenRange(Lock->getSourceRange()),
                 Ctx.getSourceManager(), Ctx.getLangOpts()),
             Ctx.getSourceManager(), Ctx.getLangOpts())
      .str();
}

llvm::SmallVector<std::string, 2>
HeldLocks::Flow::lockPaths(const Expr &E) const {
  llvm::SmallVector<std::string, 2> Found;
  auto Add = [&](std::string Path) {
    if (!Path.empty())
      Found.push_back(std::move(Path));
  };
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  // `void lock_table() [[clang::acquire_capability(table_mutex)]]`
  auto Named = [&](const auto *Attribute) {
    if (!Attribute || Attribute->args_size() == 0)
      return false;
    for (const Expr *Arg : Attribute->args())
      Add(Paths.outside(Paths.of(Arg), E, *Callee));
    return true;
  };
  if (Callee && (Named(Callee->template getAttr<AcquireCapabilityAttr>()) ||
                 Named(Callee->template getAttr<ReleaseCapabilityAttr>()) ||
                 Named(Callee->template getAttr<TryAcquireCapabilityAttr>())))
    return Found;
  for (const Expr *Lock : Types.lockedBy(E))
    Add(Paths.of(Lock));
  return Found;
}

const VarDecl *HeldLocks::Flow::variableOf(const Expr *E) {
  const auto *Ref = E ? dyn_cast<DeclRefExpr>(stripped(E)) : nullptr;
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

QualType HeldLocks::Flow::pointee(QualType T) {
  T = T.getNonReferenceType();
  return T->isPointerType() ? T->getPointeeType() : T;
}

//===----------------------------------------------------------------------===//
// Changing states
//===----------------------------------------------------------------------===//

/// \p In with each state changed by \p Change.
void HeldLocks::Flow::change(States &In,
                             llvm::function_ref<void(State &)> Change) {
  States New;
  for (State At : In) {
    Change(At);
    New.insert(std::move(At));
  }
  In = std::move(New);
}

void HeldLocks::Flow::eraseParts(std::map<std::string, const LockSite *> &Held,
                                 const std::string &Whole) {
  std::erase_if(Held, [&](const auto &Pair) {
    return ObjectPaths::isPart(Pair.first, Whole);
  });
}

/// The question whether the call \p E got its lock.
std::string HeldLocks::Flow::outcomeOf(const Expr &E) {
  return "got" + std::to_string(reinterpret_cast<uintptr_t>(&E));
}

void HeldLocks::Flow::drop(States &In, const std::string &Path) {
  if (!Path.empty())
    change(In, [&](State &At) { eraseParts(At.Held, Path); });
}

void HeldLocks::Flow::move(States &In, const std::string &From,
                           const std::string &To) {
  change(In, [&](State &At) {
    std::map<std::string, const LockSite *> Moved;
    for (const auto &[Path, Site] : At.Held)
      if (ObjectPaths::isPart(Path, From))
        Moved[To + Path.substr(From.size())] = Site;
    eraseParts(At.Held, From);
    for (auto &[Path, Site] : Moved)
      At.Held[Path] = Site;
  });
  for (const auto &[Path, Name] : std::map(LockNames))
    if (ObjectPaths::isPart(Path, From))
      LockNames[To + Path.substr(From.size())] = Name;
}

/// What is held at \p Path now lives as long as \p Owner.
void HeldLocks::Flow::rehouse(States &In, const std::string &Path,
                              const VarDecl *Owner) {
  change(In, [&](State &At) {
    for (auto &[Held, Site] : At.Held)
      if (ObjectPaths::isPart(Held, Path)) {
        LockSite Again = *Site;
        Again.Guard = Owner;
        Again.Scope = scopeOf(Owner);
        Again.How = Owner ? LockSite::Guarded : Again.How;
        Site = site(Site, Path, std::move(Again));
      }
  });
}

void HeldLocks::Flow::take(States &In, const std::string &Path, Ownership How,
                           LockSite::Kind Kind, const Expr &By,
                           const VarDecl *Guard, const Expr *Asked) {
  if (Path.empty())
    return;
  LockSite Made;
  Made.How = Kind;
  bool Called = !Guard || variableOf(objectOf(By)) == Guard;
  Made.Taken = Called ? By.getExprLoc() : Guard->getLocation();
  Made.Guard = Guard;
  Made.Scope = scopeOf(Guard);
  if (Kind == LockSite::Temporary)
    Made.Scope = Body.fullExpression(&By);
  if (auto Name = LockNames.find(Path); Name != LockNames.end())
    Made.Lock = Name->second;
  else
    Made.Lock = LockNames[Path] = lockText(By);
  const LockSite *Site = site(&By, Path, std::move(Made));
  States New;
  for (State At : In) {
    if (How != Ownership::Yes) {
      State Without = At;
      eraseParts(Without.Held, Path);
      if (Asked)
        Without.Facts[outcomeOf(*Asked)] = false;
      New.insert(std::move(Without));
    }
    if (How != Ownership::No) {
      At.Held[Path] = Site;
      if (Asked)
        At.Facts[outcomeOf(*Asked)] = true;
      New.insert(std::move(At));
    }
  }
  In = std::move(New);
}

void HeldLocks::Flow::prune(State &At, const Stmt &S) const {
  auto Left = [&](const Stmt *Scope) {
    return Scope && !Body.contains(Scope, &S);
  };
  for (auto It = At.Confined.begin(); It != At.Confined.end();)
    if (Left(It->second)) {
      eraseParts(At.Held, It->first);
      It = At.Confined.erase(It);
    } else {
      ++It;
    }
  std::erase_if(At.Held, [&](const auto &P) { return Left(P.second->Scope); });
  std::erase_if(At.Open, [&](const auto &P) { return Left(P.second); });
}

//===----------------------------------------------------------------------===//
// Taking
//===----------------------------------------------------------------------===//

static llvm::StringRef typeName(const Expr &E) {
  const auto *Class = E.getType().getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() ? Class->getName() : "";
}

/// What a new guard, the result of \p Made, has.
HeldLocks::Flow::Ownership HeldLocks::Flow::ownershipOf(const Expr &Made) {
  if (const auto *Await = dyn_cast<CoawaitExpr>(&Made)) {
    // A lock that was waited for by awaiting is hardly a thread's, unless its
    // mutex is.
    const auto *Class = Await->getType()->getAsCXXRecordDecl();
    const auto *Guard =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class);
    bool Threads = false;
    if (Guard)
      for (const TemplateArgument &Arg : Guard->getTemplateArgs().asArray())
        Threads |= Arg.getKind() == TemplateArgument::Type &&
                   Types.isLock(Arg.getAsType());
    return Threads ? Ownership::Yes : Ownership::No;
  }
  auto Arguments = argumentsOf(Made);
  bool Any = false;
  for (const Expr *Arg : Arguments) {
    if (isa<CXXDefaultArgExpr>(Arg))
      continue;
    Any = true;
    const Expr *Plain = stripped(Arg);
    llvm::StringRef Tag = typeName(*Plain);
    if (Tag.starts_with("defer_lock") || isa<CXXNullPtrLiteralExpr>(Plain) ||
        Types.isAsyncLock(pointee(Plain->getType())))
      return Ownership::No;
    if (Tag.starts_with("try_to_lock") || Tag == "duration" ||
        Tag == "time_point")
      return Ownership::Maybe;
  }
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(Made));
  if (isa<CXXConstructExpr>(Made)) {
    const auto *Constructor = cast<CXXConstructExpr>(Made).getConstructor();
    if (Any || Constructor->hasAttr<AcquireCapabilityAttr>())
      return Ownership::Yes;
    // `GlobalLock hold;`
    const FunctionBody *Inner = Context.get<Coroutines>().body(Constructor);
    return Inner && llvm::any_of(Inner->statements(),
                                 [&](const Stmt *S) {
                                   const auto *E = dyn_cast<CallExpr>(S);
                                   return E &&
                                          Types.effect(*E) == LockEffect::Take;
                                 })
               ? Ownership::Yes
               : Ownership::No;
  }
  if (!isa<CallExpr>(Made))
    return Ownership::No;
  if (Callee && Callee->getIdentifier()) {
    llvm::StringRef Name = Callee->getName();
    if (Name.starts_with_insensitive("try"))
      return Ownership::Maybe;
    if (Name.contains_insensitive("defer") ||
        (Callee->isInStdNamespace() && !Any))
      return Ownership::No;
  }
  // `return std::unique_lock(m, std::defer_lock);`
  if (const FunctionBody *Helper = Context.get<Coroutines>().body(Callee))
    for (const Stmt *S : Helper->statements())
      if (const auto *Return = dyn_cast<ReturnStmt>(S))
        if (const Expr *Value = Return->getRetValue()) {
          Value = stripped(Value);
          if (isa<CXXConstructExpr>(Value) && Types.isGuard(Value->getType()))
            return ownershipOf(*Value);
        }
  return Ownership::Yes;
}

/// The object whose initialiser is \p Init, taken to be at \p Path, owns what
/// it is given from now on.
void HeldLocks::Flow::initialise(States &In, const std::string &Path,
                                 QualType T, const Expr *Init,
                                 const VarDecl *Guard) {
  drop(In, Path);
  if (!Init || !Types.carriesGuard(T))
    return;
  const Expr *From = stripped(Init);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(From)) {
    States Other = In;
    assume(Choice->getCond(), true, In);
    assume(Choice->getCond(), false, Other);
    initialise(In, Path, T, Choice->getTrueExpr(), Guard);
    initialise(Other, Path, T, Choice->getFalseExpr(), Guard);
    In.merge(Other);
    return;
  }
  if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, UnaryOperator>(From)) {
    std::string Source = Paths.of(From);
    if (Source.empty())
      return;
    move(In, Source, Path);
    rehouse(In, Path, Guard);
    return;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(From)) {
    unsigned At = 0;
    for (const Expr *Capture : Lambda->capture_inits())
      if (Capture && Types.carriesGuard(Capture->getType()) &&
          !Capture->isLValue())
        initialise(In, Path + ".capture" + std::to_string(At++),
                   Capture->getType(), Capture, Guard);
    return;
  }
  QualType Value = T.getNonReferenceType();
  if (Types.isGuard(Value)) {
    // A guard that is given an owned lock takes it over.
    for (const Expr *Arg : argumentsOf(*From))
      if (std::string Lock = Paths.of(Arg); !Lock.empty()) {
        Locks.try_emplace(Path, Lock);
        change(In, [&](State &At) { At.Held.erase(Lock); });
      }
    if (isa<InitListExpr>(From))
      return;
    take(In, Path, ownershipOf(*From), LockSite::Guarded, *From, Guard);
    return;
  }
  if (Types.isHolder(Value)) {
    const Expr *Source = nullptr;
    std::string Moved;
    walkWritten(From, [&](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      if (!E || Source)
        return false;
      const Expr *Plain = stripped(E);
      if (Plain != From && Types.isGuard(Plain->getType())) {
        if (isa<CXXConstructExpr, CallExpr>(Plain) &&
            !Plain->getType()->isReferenceType())
          Source = Plain;
        else if (std::string P = Paths.of(Plain); !P.empty())
          Moved = P;
      }
      return !Source;
    });
    if (!Moved.empty()) {
      move(In, Moved, Path);
      rehouse(In, Path, Guard);
      return;
    }
    if (!Source && isa<CallExpr>(From))
      Source = From;
    // `std::optional<std::unique_lock<std::mutex>> l(std::in_place, m);`
    if (!Source && isa<CXXConstructExpr>(From) &&
        llvm::any_of(argumentsOf(*From), [&](const Expr *Arg) {
          return Types.isLock(pointee(Arg->getType()));
        }))
      Source = From;
    if (Source)
      take(In, Path, ownershipOf(*Source), LockSite::Guarded, *Source, Guard);
    return;
  }
  if (const CXXRecordDecl *Class = Value->getAsCXXRecordDecl())
    initialiseMembers(In, Path, *Class, *From, Guard);
}

void HeldLocks::Flow::initialiseMembers(States &In, const std::string &Path,
                                        const CXXRecordDecl &Class,
                                        const Expr &Init,
                                        const VarDecl *Guard) {
  if (const auto *List = dyn_cast<InitListExpr>(&Init)) {
    unsigned At = Class.getNumBases();
    for (const FieldDecl *Field : Class.fields()) {
      const Expr *Value =
          At < List->getNumInits() ? List->getInit(At) : nullptr;
      ++At;
      if (Types.carriesGuard(Field->getType()))
        initialise(In, ObjectPaths::member(Path, *Field), Field->getType(),
                   Value, Guard);
    }
    return;
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Init)) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    const FunctionDecl *Definition = nullptr;
    if (!Constructor->hasBody(Definition))
      return;
    for (const CXXCtorInitializer *Member :
         cast<CXXConstructorDecl>(Definition)->inits()) {
      if (Member->isDelegatingInitializer()) {
        initialiseMembers(In, Path, Class, *stripped(Member->getInit()), Guard);
        continue;
      }
      if (Member->isBaseInitializer()) {
        QualType Base(Member->getBaseClass(), 0);
        initialise(In, Path, Base, Member->getInit(), Guard);
        continue;
      }
      const FieldDecl *Field = Member->getAnyMember();
      if (!Field || !Types.carriesGuard(Field->getType()))
        continue;
      std::string At = ObjectPaths::member(Path, *Field);
      const Expr *Value = stripped(Member->getInit());
      // `Tx(std::unique_lock<std::mutex> l) : l(std::move(l))`
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Value)) {
        const auto *P = dyn_cast<ParmVarDecl>(Ref->getDecl());
        if (P && P->getFunctionScopeIndex() < Construct->getNumArgs())
          Value = Construct->getArg(P->getFunctionScopeIndex());
      }
      initialise(In, At, Field->getType(), Value, Guard);
    }
    return;
  }
  // Made by somebody else: what always holds a lock does.
  if (isa<CallExpr>(Init))
    for (const FieldDecl *Field : Class.fields())
      if (Types.isGuard(Field->getType()))
        take(In, ObjectPaths::member(Path, *Field), Ownership::Yes,
             LockSite::Guarded, Init, Guard);
}

/// \p Init, the initialiser of the scope guard \p Var, gives a lock back when
/// that dies.
void HeldLocks::Flow::confine(const VarDecl &Var, const Expr &Init,
                              States &In) {
  const Stmt *Scope = scopeOf(&Var);
  const CXXRecordDecl *Class = Var.getType()->getAsCXXRecordDecl();
  if (!Scope || !Class || Class->isLambda())
    return;
  if (Types.isUnlockGuard(Var.getType())) {
    llvm::SmallVector<const Expr *, 4> Opened = {};
    walkWritten(&Init, [&](const Stmt &S) {
      if (const auto *E = dyn_cast<Expr>(&S))
        if (std::string Path = Paths.of(E); !Path.empty())
          change(In, [&](State &At) { At.Open[Path] = Scope; });
      return true;
    });
    return;
  }
  auto GivesBack = [&](const std::string &Path) {
    if (!Path.empty())
      change(In, [&](State &At) { At.Confined[Path] = Scope; });
  };
  walkWritten(&Init, [&](const Stmt &S) {
    const auto *Lambda = dyn_cast<LambdaExpr>(&S);
    const FunctionBody *Inner =
        Lambda ? Context.get<Coroutines>().body(Lambda->getCallOperator())
               : nullptr;
    for (const Stmt *Part :
         Inner ? Inner->statements() : llvm::ArrayRef<const Stmt *>())
      if (const auto *E = dyn_cast<CallExpr>(Part);
          E && Types.effect(*E) == LockEffect::Release)
        for (const std::string &Path : lockPaths(*E))
          GivesBack(Path);
    return true;
  });
  if (Types.unlocksAtEnd(*Class) && !Types.isGuard(Var.getType()))
    for (const Expr *Arg : argumentsOf(*stripped(&Init)))
      GivesBack(Paths.of(Arg));
}

void HeldLocks::Flow::declare(const VarDecl &Var, States &In) {
  std::string Path = ObjectPaths::of(Var);
  change(In, [&](State &At) {
    std::erase_if(At.Facts, [&](const auto &Fact) {
      return llvm::StringRef(Fact.first).contains(Path);
    });
  });
  const Expr *Init = Var.getInit();
  if (!Init)
    return;
  confine(Var, *Init, In);
  if (Types.carriesGuard(Var.getType())) {
    // A reference is another name, unless it keeps a temporary.
    if (Paths.of(Init).empty() || !Var.getType()->isReferenceType())
      initialise(In, Path, Var.getType(), Init, &Var);
    return;
  }
  assigned(nullptr, nullptr, In);
  if (Var.getType()->isBooleanType() || Var.getType()->isIntegerType())
    if (const Expr *Value = stripped(Init))
      change(In, [&](State &At) {
        if (std::optional<bool> Known = answer(Value, At))
          At.Facts[Path] = *Known;
      });
}

} // namespace async_tidy
