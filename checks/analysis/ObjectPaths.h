//===--- ObjectPaths.h - Which object does this expression name? *- C++ -*-===//
//
// Answers: are `m`, `this->m`, `(*this).m` and, after `auto &r = m`, `r` the
// same object? An object's path is a text that says how it is reached from a
// variable or `this`; equal paths mean the same object as long as nothing on
// the way is changed. A pointer and what it points to share a path.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_OBJECTPATHS_H
#define ASYNC_TIDY_ANALYSIS_OBJECTPATHS_H

#include "Coroutines.h"

namespace async_tidy {

class ObjectPaths {
public:
  explicit ObjectPaths(AnalysisContext &Context) : Context(Context) {}

  /// The path of \p E, empty when it cannot be told.
  std::string of(const clang::Expr *E) const { return of(E, 0); }
  /// The path that \p D has.
  static std::string of(const clang::ValueDecl &D);
  /// The path of member \p Field of the object with the path \p Base.
  static std::string member(const std::string &Base,
                            const clang::ValueDecl &Field);

  /// \p Path is that of the object \p Whole or of a part of it.
  static bool isPart(llvm::StringRef Path, llvm::StringRef Whole);

  /// What \p Inner, a path in the body of the function called by \p Call, is
  /// outside: the argument for a parameter, the object for `this`. Empty when
  /// it is none of these, nor global or captured.
  std::string outside(llvm::StringRef Inner, const clang::Expr &Call,
                      const clang::FunctionDecl &Callee) const;

  /// A text for a condition that is the same whenever the same is asked of the
  /// same objects; empty when there is none.
  std::string question(const clang::Expr *Condition) const;

private:
  std::string of(const clang::Expr *E, unsigned Depth) const;
  std::string ofCall(const clang::CallExpr &Call, unsigned Depth) const;

  AnalysisContext &Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_OBJECTPATHS_H
