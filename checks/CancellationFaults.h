//===--- CancellationFaults.h - What the cancellation checks share -*- C++ -*-//
//
// One fault gives one finding: whether a handler swallows, converts or retries
// a cancellation is decided here, once for all checks of the family, and each
// check reports the kind that is its own.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_CANCELLATIONFAULTS_H
#define ASYNC_TIDY_CANCELLATIONFAULTS_H

#include "AsyncCheck.h"
#include "analysis/CancellationFlow.h"

namespace clang::tidy::async {

enum class CancellationFault {
  Swallowed, ///< goes on, or returns, as if there had been none
  Converted, ///< becomes another error
  Retried,   ///< the cancelled work is begun again
  Ignored,   ///< came as a value that nobody looks at
};

/// Why a fault may be none. Checks leave such findings out unless an option
/// asks for them.
enum class Excuse {
  None,
  DetachedRoot, ///< nobody waits for this coroutine, so it may end
  OwnChild,     ///< this coroutine cancelled what it awaits
  TokenAsked,   ///< the code asked its own token and acted on the answer
};

struct CancellationFinding {
  CancellationFault Fault;
  /// Where to report: the `catch`, the await, the test or the continuation.
  SourceLocation Where;
  async_tidy::FlowResult Flow;
  async_tidy::PathOutcome Outcome; ///< the path that goes wrong
  async_tidy::ThrownCancellation Form;
  const async_tidy::Library *Lib = nullptr;
  /// The await (or check) the cancellation comes from.
  const Stmt *Source = nullptr;
  const CXXTryStmt *Try = nullptr;       ///< with Handler
  const CXXCatchStmt *Handler = nullptr; ///< for handlers
  const Expr *Continuation = nullptr; ///< for `.then_wrapped(…)` and the like
  Excuse Excused = Excuse::None;
};

/// The faults of the translation unit's functions, each computed once.
class CancellationFaults {
public:
  explicit CancellationFaults(async_tidy::AnalysisContext &Context)
      : Context(Context) {}

  llvm::ArrayRef<CancellationFinding> of(const async_tidy::FunctionBody &Body);

private:
  void handlers(const async_tidy::FunctionBody &Body, const CXXTryStmt &Try,
                std::vector<CancellationFinding> &Out);
  void values(const async_tidy::FunctionBody &Body, const Expr &Await,
              std::vector<CancellationFinding> &Out);
  void continuations(const async_tidy::FunctionBody &Body, const Expr &Call,
                     std::vector<CancellationFinding> &Out);
  bool passesErrorOn(const FunctionDecl &Handler) const;
  bool fromTestMacro(SourceLocation Loc) const;
  bool cancelledItself(const async_tidy::FunctionBody &Body,
                       const Stmt &Before) const;

  async_tidy::AnalysisContext &Context;
  llvm::DenseMap<const async_tidy::FunctionBody *,
                 std::vector<CancellationFinding>>
      Known;
};

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

  virtual void report(const CancellationFinding &F,
                      const async_tidy::FunctionBody &Body) = 0;

  /// "'catch (...)'", "'catch (const std::exception &)'", "'then_wrapped'".
  std::string receiverName(const CancellationFinding &F) const;
  /// Adds the notes all findings have: where the cancellation comes from and
  /// what makes the function a coroutine.
  void noteSource(const CancellationFinding &F,
                  const async_tidy::FunctionBody &Body);
  /// The fix-it that lets the cancellation through, or none where it might
  /// change what the handler does otherwise.
  std::optional<FixItHint> letThrough(const CancellationFinding &F) const;

private:
  std::string modelFromOptions() const override;

  const CancellationFault Fault;
  const std::vector<StringRef> CancellationTypes;
  const std::vector<StringRef> HandlerCallees;
  const bool AllowTopLevelDetached;
  const bool AllowChildCancel;
  const bool AllowTokenGuard;
};

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_CANCELLATIONFAULTS_H
