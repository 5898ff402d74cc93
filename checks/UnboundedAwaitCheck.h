//===--- UnboundedAwaitCheck.h ----------------------------------*- C++ -*-===//
//
// Finds awaits of other systems that nothing ends when no answer comes: no
// limit, no deadline, no token. A matter of policy, off by default.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_UNBOUNDEDAWAITCHECK_H
#define ASYNC_TIDY_UNBOUNDEDAWAITCHECK_H

#include "AsyncCheck.h"

namespace clang::tidy::async {

class UnboundedAwaitCheck : public AsyncCheck {
public:
  UnboundedAwaitCheck(StringRef Name, ClangTidyContext *Context);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  void checkFunction(const async_tidy::FunctionBody &Body) override;

private:
  bool isIo(const Expr &E);
  bool isBounded(const async_tidy::FunctionBody &Body, const Expr *Awaited,
                 const Expr *Io);
  bool isBoundedAsAWhole(const async_tidy::FunctionBody &Body);

  const std::vector<StringRef> IoFunctions;
  const std::vector<StringRef> AllowedFunctions;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_UNBOUNDEDAWAITCHECK_H
