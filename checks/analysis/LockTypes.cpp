//===--- LockTypes.cpp ----------------------------------------------------===//

#include "LockTypes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace async_tidy {

static const CXXRecordDecl *classOf(QualType T) {
  if (T.isNull())
    return nullptr;
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() ? Class->getDefinition() : nullptr;
}

static const Type *keyOf(QualType T) {
  return T.getNonReferenceType().getCanonicalType().getTypePtr();
}

/// The type arguments of the class template \p Class is made from.
static llvm::SmallVector<QualType, 2>
typeArguments(const CXXRecordDecl &Class) {
  llvm::SmallVector<QualType, 2> Types;
  const auto *Made = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  if (!Made)
    return Types;
  auto Add = [&](const TemplateArgument &Arg) {
    if (Arg.getKind() == TemplateArgument::Type)
      Types.push_back(Arg.getAsType());
  };
  for (const TemplateArgument &Arg : Made->getTemplateArgs().asArray())
    if (Arg.getKind() == TemplateArgument::Pack)
      llvm::for_each(Arg.pack_elements(), Add);
    else
      Add(Arg);
  return Types;
}

/// The standard's names for what a Lockable can do.
static LockEffect namedEffect(const FunctionDecl &F) {
  if (!F.getIdentifier())
    return LockEffect::None;
  llvm::StringRef Name = F.getName();
  if (Name == "lock" || Name == "lock_shared" || Name == "lock_upgrade")
    return LockEffect::Take;
  if (Name == "unlock" || Name == "unlock_shared" || Name == "unlock_upgrade")
    return LockEffect::Release;
  return Name.starts_with("try_lock") ? LockEffect::Try : LockEffect::None;
}

bool LockTypes::isAsyncLock(QualType T) {
  const CXXRecordDecl *Class = classOf(T);
  if (!Class)
    return false;
  auto [Slot, New] = Asyncs.try_emplace(keyOf(T), false);
  if (!New)
    return Slot->second;
  bool Async = Context.roles().findType(T, Role::AsyncLock) ||
               Context.roles().findType(T, Role::Guard);
  if (!Async && !Context.roles().findType(T, Role::Lock))
    for (const CXXMethodDecl *M : Class->methods()) {
      if (!M->getIdentifier())
        continue;
      llvm::StringRef Name = M->getName();
      if (Name.contains_insensitive("lock") ||
          Name.contains_insensitive("acquire"))
        Async |= !M->getReturnType()->isDependentType() &&
                 isAwaitableType(M->getReturnType(), Context.ast());
      const FunctionDecl *Definition = nullptr;
      if (Name == "lock" && M->hasBody(Definition))
        if (const auto *Block = dyn_cast<CompoundStmt>(Definition->getBody()))
          Async |= Block->body_empty();
    }
  return Asyncs[keyOf(T)] = Async;
}

bool LockTypes::isLock(QualType T) {
  const CXXRecordDecl *Class = classOf(T);
  if (!Class || isAsyncLock(T))
    return false;
  if (Context.roles().findType(T, Role::Lock) ||
      Class->hasAttr<CapabilityAttr>())
    return true;
  // A mutex of the project's own: has the interface of one, and is one or spins
  // on an atomic inside.
  bool Locks = false, Unlocks = false, Inside = false;
  for (const CXXMethodDecl *M : Class->methods()) {
    LockEffect Effect = namedEffect(*M);
    Locks |= Effect == LockEffect::Take && M->getReturnType()->isVoidType();
    Unlocks |= Effect == LockEffect::Release;
  }
  for (const FieldDecl *Field : Class->fields()) {
    const CXXRecordDecl *Part = classOf(Field->getType());
    Inside |=
        Part && Part != Class &&
        (Context.roles().findType(Field->getType(), Role::Lock) ||
         (Part->isInStdNamespace() && Part->getName().starts_with("atomic")));
  }
  return Locks && Unlocks && Inside && !isGuard(T);
}

bool LockTypes::isGuard(QualType T) {
  const CXXRecordDecl *Class = classOf(T);
  if (!Class)
    return false;
  auto [Slot, New] = Guards.try_emplace(keyOf(T), false);
  if (!New)
    return Slot->second;
  const SymbolRoles &Roles = Context.roles();
  bool Guard =
      !Roles.findType(T, Role::Guard) &&
      !Roles.findType(T, Role::UnlockGuard) &&
      (Roles.findType(T, Role::LockGuard) ||
       Class->hasAttr<ScopedLockableAttr>() || isWrittenGuard(*Class) ||
       (!Class->isInStdNamespace() &&
        llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &Base) {
          return isGuard(Base.getType());
        })));
  // A guard of anything is that thing's.
  Guard = Guard && llvm::none_of(typeArguments(*Class), [&](QualType Arg) {
            return isAsyncLock(Arg);
          });
  return Guards[keyOf(T)] = Guard;
}

/// \p F has \p Wanted done to a member of its class.
bool LockTypes::touchesField(const FunctionDecl *F, LockEffect Wanted) {
  const FunctionBody *Body = Context.get<Coroutines>().body(F);
  return Body && llvm::any_of(Body->statements(), [&](const Stmt *S) {
           const auto *E = dyn_cast<Expr>(S);
           if (!E || !isa<CallExpr>(E) || effect(*E) != Wanted)
             return false;
           return llvm::any_of(lockedBy(*E), [](const Expr *Lock) {
             bool Own = false;
             walkWritten(Lock, [&](const Stmt &Part) {
               Own |= isa<CXXThisExpr>(Part) || isa<DeclRefExpr>(Part);
               return !Own;
             });
             return Own;
           });
         });
}

bool LockTypes::isWrittenGuard(const CXXRecordDecl &Class) {
  auto [Slot, New] = WrittenGuards.try_emplace(&Class, false);
  if (!New || Class.isLambda())
    return Slot->second;
  if (!unlocksAtEnd(Class))
    return false;
  bool Locks = llvm::any_of(Class.ctors(), [&](const CXXConstructorDecl *C) {
    return touchesField(C, LockEffect::Take);
  });
  return WrittenGuards[&Class] = Locks;
}

bool LockTypes::unlocksAtEnd(const CXXRecordDecl &Class) {
  const CXXDestructorDecl *Destructor = Class.getDestructor();
  return Destructor && Destructor->isUserProvided() &&
         touchesField(Destructor, LockEffect::Release) &&
         !touchesField(Destructor, LockEffect::Take);
}

bool LockTypes::isUnlockGuard(QualType T) {
  if (Context.roles().findType(T, Role::UnlockGuard))
    return true;
  const CXXRecordDecl *Class = classOf(T);
  const CXXDestructorDecl *Destructor =
      Class ? Class->getDestructor() : nullptr;
  return Destructor && Destructor->isUserProvided() &&
         touchesField(Destructor, LockEffect::Take) &&
         !touchesField(Destructor, LockEffect::Release) &&
         llvm::any_of(Class->ctors(), [&](const CXXConstructorDecl *C) {
           return touchesField(C, LockEffect::Release);
         });
}

bool LockTypes::isHolder(QualType T) {
  T = T.getNonReferenceType();
  if (const ArrayType *Array = Context.ast().getAsArrayType(T))
    return carriesGuard(Array->getElementType());
  const CXXRecordDecl *Class = classOf(T);
  if (!Class || !Class->getIdentifier())
    return false;
  static constexpr llvm::StringRef Holders[] = {
      "optional", "unique_ptr", "shared_ptr", "vector", "deque",  "list",
      "array",    "pair",       "tuple",      "stack",  "variant"};
  return llvm::is_contained(Holders, Class->getName()) &&
         llvm::any_of(typeArguments(*Class), [&](QualType Arg) {
           return !Arg->isReferenceType() && carriesGuard(Arg);
         });
}

bool LockTypes::carriesGuard(QualType T) {
  if (T.isNull() || T->isDependentType())
    return false;
  auto [Slot, New] = Carriers.try_emplace(keyOf(T), false);
  if (!New)
    return Slot->second;
  bool Carries = isGuard(T) || isHolder(T) || computeCarries(T, 0);
  return Carriers[keyOf(T)] = Carries;
}

bool LockTypes::computeCarries(QualType T, unsigned Depth) {
  const CXXRecordDecl *Class = classOf(T);
  // The insides of library classes are their own affair.
  if (!Class || Depth > 4 || isLock(T) || isAsyncLock(T) ||
      Context.roles().findType(T, Role::Guard) || Class->isInStdNamespace() ||
      isAwaitableType(T, Context.ast()) ||
      Context.ast().getSourceManager().isInSystemHeader(Class->getLocation()))
    return false;
  auto Carries = [&](QualType Part) {
    return !Part->isReferenceType() && !Part->isPointerType() &&
           carriesGuard(Part);
  };
  return llvm::any_of(
             Class->fields(),
             [&](const FieldDecl *F) { return Carries(F->getType()); }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &Base) {
           return Carries(Base.getType());
         });
}

LockEffect LockTypes::effect(const Expr &E) {
  const SymbolRoles &Roles = Context.roles();
  // Of a call that is awaited nothing belongs to a thread.
  if (!isa<CallExpr>(E) || isAwaitableType(E.getType(), Context.ast()))
    return LockEffect::None;
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  if (!Callee)
    return LockEffect::None;
  const Expr *Object = objectOf(E);
  QualType Type = Object ? Object->getType() : QualType();
  if (!Type.isNull() && Type->isPointerType())
    Type = Type->getPointeeType();
  if (!Type.isNull() && isAsyncLock(Type))
    return LockEffect::None;
  if (Roles.find(&E, Role::Disown))
    return LockEffect::Disown;
  if (Roles.find(&E, Role::TryLock) ||
      Callee->hasAttr<TryAcquireCapabilityAttr>())
    return LockEffect::Try;
  if (Roles.find(&E, Role::Release) || Callee->hasAttr<ReleaseCapabilityAttr>())
    return LockEffect::Release;
  bool Known = !Type.isNull() && (isLock(Type) || isGuard(Type));
  if (Callee->hasAttr<AcquireCapabilityAttr>())
    return LockEffect::Take;
  if (const Entry *En = Roles.find(&E, Role::Blocking))
    if (En->Category == BlockingCategory::Mutex && (!Object || Known) &&
        !carriesGuard(E.getType()))
      return En->Duration.empty() && En->Deadline.empty() ? LockEffect::Take
                                                          : LockEffect::Try;
  if (!Known)
    return LockEffect::None;
  LockEffect Named = namedEffect(*Callee);
  if (Named == LockEffect::None && isGuard(Type) && Callee->getIdentifier()) {
    std::string Name = Callee->getName().lower();
    if (Name == "relock" || Name == "acquire" || Name == "lock")
      return LockEffect::Take;
    if (Name == "unlock" || Name == "release" || Name == "reset")
      return LockEffect::Release;
  }
  return Named;
}

bool LockTypes::trueMeansFailure(const Expr &E) const {
  const Entry *En = Context.roles().find(&E, Role::TryLock);
  if (En)
    return En->MeansFailure;
  const auto *Callee = dyn_cast_or_null<FunctionDecl>(calleeOf(E));
  const auto *Try =
      Callee ? Callee->getAttr<TryAcquireCapabilityAttr>() : nullptr;
  Expr::EvalResult Success;
  return Try && Try->getSuccessValue() &&
         Try->getSuccessValue()->EvaluateAsInt(Success, Context.ast()) &&
         Success.Val.getInt().isZero();
}

llvm::SmallVector<const Expr *, 2> LockTypes::lockedBy(const Expr &E) {
  if (const Expr *Object = objectOf(E))
    return {Object};
  auto Arguments = argumentsOf(E);
  llvm::SmallVector<const Expr *, 2> Locks;
  for (const Expr *Arg : Arguments) {
    QualType T = Arg->getType().getNonReferenceType();
    if (isLock(T) || isGuard(T))
      Locks.push_back(Arg);
  }
  // C: the lock is the first argument.
  if (Locks.empty() && !Arguments.empty())
    Locks.push_back(Arguments.front());
  return Locks;
}

} // namespace async_tidy
