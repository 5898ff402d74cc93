//===--- CancellationCheck.h - Base of the cancellation checks --*- C++ -*-===//
//
// Reports the faults of one kind that CancellationFaults finds, and brings the
// options that all checks of the family share.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_CANCELLATIONCHECK_H
#define ASYNC_TIDY_CANCELLATIONCHECK_H

#include "AsyncCheck.h"
#include "CancellationFaults.h"

namespace clang::tidy::async {

/// Base of the family's checks: reports the findings of one kind.
class CancellationCheck : public AsyncCheck {
public:
  CancellationCheck(StringRef Name, ClangTidyContext *Context,
                    CancellationFault Fault);
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override;

protected:
  /// Continuations also stand in functions that only return a task.
  bool wantsPlainFunction(const FunctionDecl &F) override {
    return roles().findType(F.getReturnType(), async_tidy::Role::Task);
  }
  void checkFunction(const async_tidy::FunctionBody &Body) override;

  virtual void report(const CancellationFinding &F) = 0;

  /// "'catch (...)'", "'catch (const std::exception &)'", "'then_wrapped'".
  std::string receiverName(const CancellationFinding &F) const;
  /// Adds the notes all findings have: where the cancellation comes from and
  /// where its path ends.
  void noteSource(const CancellationFinding &F);
  /// The fix-it that lets the cancellation through, or none where it might
  /// change what the handler does otherwise.
  std::optional<FixItHint> letThrough(const CancellationFinding &F) const;

private:
  NamesByRole modelFromOptions() const override;

  const CancellationFault Fault;
  const std::vector<StringRef> CancellationTypes;
  const std::vector<StringRef> HandlerCallees;
  const bool AllowTopLevelDetached;
  const bool AllowChildCancel;
  const bool AllowTokenGuard;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CANCELLATIONCHECK_H
