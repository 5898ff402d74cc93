//===--- SymbolRoles.h - What names in the AST mean -------------*- C++ -*-===//
//
// Answers: which model entry, if any, does this expression, declaration or type
// stand for? This is the only place where the AST meets the models, so a check
// never compares names.
//
// A call may be known under several names: its callee's, the callee's as seen
// from the object's static type (`steady_timer::wait` for
// `basic_waitable_timer::wait`), and, for a customisation point object, the
// variable's. All are tried. Annotations in the code under lint
// (`[[clang::annotate("async-tidy:<role>")]]`, `[[clang::blocking]]`,
// `[[clang::nonblocking]]`) take precedence over the models; their entries have
// no owner.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_SYMBOLROLES_H
#define ASYNC_TIDY_ANALYSIS_SYMBOLROLES_H

#include "../models/Model.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <unordered_map>

namespace async_tidy {

/// Qualified name of \p D as models spell it: without inline and anonymous
/// namespaces, template arguments and enclosing functions.
std::string canonicalName(const clang::NamedDecl &D);

/// \p E without what the compiler wrote around it: parentheses, implicit casts,
/// temporaries, copies and moves (`std::move(x)` too, as it changes no value).
const clang::Expr *stripped(const clang::Expr *E);

/// The declaration a call or construction \p E goes to. Null for calls through
/// pointers and for what is neither.
const clang::NamedDecl *calleeOf(const clang::Expr &E);

/// Arguments as written, without the implicit object and, for calls of function
/// objects and member operators, without the object operand. Empty for what is
/// no call or construction.
llvm::SmallVector<const clang::Expr *, 4> argumentsOf(const clang::Expr &E);

/// The object of a member call or member operator call, else null.
const clang::Expr *objectOf(const clang::Expr &E);

/// True when \p T can be awaited in general: it has `operator co_await` or the
/// awaiter functions, or it is a coroutine's return type.
bool isAwaitableType(clang::QualType T, clang::ASTContext &Ctx);

/// Matches names against models, for one ASTContext.
class SymbolRoles {
public:
  SymbolRoles(clang::ASTContext &Ctx, std::shared_ptr<const ModelSet> Models);

  /// The entry of role \p R that the call, construction, reference to a
  /// variable or enumerator \p E stands for, its argument conditions met; else
  /// null.
  const Entry *find(const clang::Expr *E, Role R) const;

  /// The entry of role \p R for the declaration \p D; no argument conditions.
  const Entry *find(const clang::Decl *D, Role R) const;

  /// The entry of role \p R for the class or enum type \p T (references, cv and
  /// sugar ignored) or one of its bases.
  const Entry *findType(clang::QualType T, Role R) const;

  /// All entries \p E stands for, of any role, argument conditions met.
  llvm::ArrayRef<const Entry *> entries(const clang::Expr *E) const;

  /// The library whose task type \p T is; null for unknown task types.
  const Library *libraryOf(clang::QualType T) const;

  /// The argument of \p Call that \p Position means, or null. Of several
  /// candidates the first existing one that \p Fits is taken.
  const clang::Expr *
  argument(const clang::Expr &Call, const ArgPosition &Position,
           llvm::function_ref<bool(const clang::Expr &)> Fits = nullptr) const;

  const ModelSet &models() const { return *Models; }
  clang::ASTContext &context() const { return Ctx; }

private:
  using EntryList = llvm::SmallVector<const Entry *, 2>;

  EntryList compute(const clang::Expr &E) const;
  /// What the models say about \p Name in this translation unit.
  EntryList lookup(llvm::StringRef Name) const;
  void addDecl(const clang::Decl *D, EntryList &Out) const;
  const Entry *annotation(llvm::StringRef RoleName) const;
  bool conditionsHold(const Entry &En, const clang::Expr &E) const;

  clang::ASTContext &Ctx;
  std::shared_ptr<const ModelSet> Models;
  /// Libraries that this translation unit does not use, see Library::Requires.
  llvm::DenseSet<const Library *> Unused;
  // Node-based, as entries() hands out references into it.
  mutable std::unordered_map<const clang::Expr *, EntryList> Cache;
  mutable llvm::DenseMap<const clang::Decl *, EntryList> DeclCache;
  mutable std::map<Role, std::unique_ptr<Entry>> Annotations;
};

/// What a \p T is about that is one of the standard library's class templates
/// \p Names (`optional`, `unique_ptr`): its first argument. Null for other
/// types.
clang::QualType wrappedType(clang::QualType T,
                            llvm::ArrayRef<llvm::StringRef> Names);

/// \p Loc comes out of a macro with the role `test-macro`.
bool isInTestMacro(clang::SourceLocation Loc, const SymbolRoles &Roles);

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_SYMBOLROLES_H
