//===--- LockTypes.h - Which types own a thread's lock ----------*- C++ -*-===//
//
// Answers: is this a mutex that belongs to the thread that took it? Is this a
// type whose objects hold one (`std::lock_guard`, a struct with such a member,
// an `optional` of one)? What does this call do to a lock?
//
// Sources: the models (`lock`, `lock-guard`, `async-lock`, `try-lock`,
// `release`, `disown`, and `blocking` of category `mutex`), clang's thread
// safety attributes, and the code: a class whose constructor locks a mutex that
// its destructor unlocks is a guard whatever it is called, a mutex whose lock
// is awaited is none of a thread's, nor is one whose `lock()` does nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_LOCKTYPES_H
#define ASYNC_TIDY_ANALYSIS_LOCKTYPES_H

#include "Coroutines.h"

namespace async_tidy {

/// What a call does to a lock.
enum class LockEffect {
  None,
  Take,    ///< waits for it and has it
  Try,     ///< may have it afterwards; the result says so
  Release, ///< gives it back
  Disown,  ///< a guard forgets it, it stays locked
};

class LockTypes {
public:
  explicit LockTypes(AnalysisContext &Context) : Context(Context) {}

  /// Objects of \p T belong to the thread that locks them.
  bool isLock(clang::QualType T);
  /// Objects of \p T are no thread's: waiting for them is awaited, they belong
  /// to a fiber, or they do nothing.
  bool isAsyncLock(clang::QualType T);
  /// Objects of \p T hold such a lock until they are destroyed.
  bool isGuard(clang::QualType T);
  /// Objects of \p T keep one open until they are destroyed.
  bool isUnlockGuard(clang::QualType T);
  /// The destructor of \p Class gives a lock back that it did not take.
  bool unlocksAtEnd(const clang::CXXRecordDecl &Class);
  /// \p T is an `optional`, pointer, container, pair or array of guards.
  bool isHolder(clang::QualType T);
  /// \p T is one of these, or a class with such a member.
  bool carriesGuard(clang::QualType T);

  /// What the call \p E does to its object or arguments.
  LockEffect effect(const clang::Expr &E);
  /// For LockEffect::Try: \p E yields true (not 0) when it has *not* got it.
  bool trueMeansFailure(const clang::Expr &E) const;
  /// What \p E works on: the object of a member call, else the arguments.
  llvm::SmallVector<const clang::Expr *, 2> lockedBy(const clang::Expr &E);

private:
  bool computeCarries(clang::QualType T, unsigned Depth);
  bool isWrittenGuard(const clang::CXXRecordDecl &Class);
  bool touchesField(const clang::FunctionDecl *F, LockEffect Wanted);

  AnalysisContext &Context;
  llvm::DenseMap<const clang::Type *, bool> Guards, Asyncs, Carriers;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> WrittenGuards;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_LOCKTYPES_H
