//===--- TestCode.h - Does only a test run this? ----------------*- C++ -*-===//
//
// Answers: is this function part of a test? A test starts its coroutines
// itself, lets nobody cancel them and waits on purpose, so that what would be a
// fault in a service is none there.
//
// Part of a test is what a test macro of the models defines, a lambda written
// in it, and a helper that this file uses in such functions alone.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_TESTCODE_H
#define ASYNC_TIDY_ANALYSIS_TESTCODE_H

#include "Coroutines.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace async_tidy {

class TestCode {
public:
  explicit TestCode(AnalysisContext &Context) : Context(Context) {}

  bool contains(const clang::FunctionDecl &F);

private:
  using Path = llvm::SmallPtrSet<const clang::FunctionDecl *, 8>;
  bool contains(const clang::FunctionDecl &F, Path &Asked);

  AnalysisContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_TESTCODE_H
