//===--- Shields.h - Does a limit reach the work under it? ------*- C++ -*-===//
//
// Answers: does something keep a timeout's cancellation from the work it
// limits? The shield may stand in the limited expression, in a coroutine or
// lambda of this file that it runs, or be a statement there that holds for what
// follows ("no cancellation from here on").
//
// A shield is left alone when what it protects is short by itself: it has a
// limit of its own, only waits, closes or tidies up, or is a commit that must
// run to its end; also when it protects the cleanup after a failure.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ANALYSIS_SHIELDS_H
#define ASYNC_TIDY_ANALYSIS_SHIELDS_H

#include "Limits.h"

namespace async_tidy {

struct ShieldedWork {
  const clang::Expr *Shield = nullptr; ///< the shielding call
  const clang::Expr *Work = nullptr;   ///< what it keeps from being cancelled
  const Entry *Model = nullptr;        ///< null: known by an option only
  /// When Shield calls a user's wrapper: the shield in its body.
  const clang::Expr *Inside = nullptr;
  /// The body Work stands in.
  const FunctionBody *In = nullptr;
  /// The functions between the limit and the shield, outermost first.
  llvm::SmallVector<const clang::FunctionDecl *, 3> Chain;
};

class Shields {
public:
  struct Policy {
    /// Calls that shield their first awaitable argument besides those of the
    /// models.
    llvm::function_ref<bool(const clang::FunctionDecl &)> IsShield;
    /// Callees that may run shielded.
    llvm::function_ref<bool(const clang::FunctionDecl &)> MayBeShielded;
    bool AllowWithInnerTimeout = true;
  };

  explicit Shields(AnalysisContext &Context) : Context(Context) {}

  /// The first shield under \p L, a limit in \p Body.
  std::optional<ShieldedWork> under(const FunctionBody &Body, const Limit &L,
                                    const Policy &P);

private:
  using Result = std::optional<ShieldedWork>;
  Result search(const FunctionBody &Body, const clang::Expr *E, const Policy &P,
                unsigned Depth, bool SkipTokens);
  Result searchBody(const clang::FunctionDecl &F, const Policy &P,
                    unsigned Depth);
  Result searchToken(const FunctionBody &Body, const clang::Expr *Token,
                     const clang::Expr *Call, const Policy &P, unsigned Depth);
  bool isHarmless(const FunctionBody &Body, const clang::Expr *Work,
                  const Policy &P, unsigned Depth);

  AnalysisContext &Context;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_ANALYSIS_SHIELDS_H
