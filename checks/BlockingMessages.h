//===--- BlockingMessages.h - What is said about a blocking call -*- C++ -*-==//
//
// The texts and the fix of async-blocking-call-in-coroutine.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_BLOCKINGMESSAGES_H
#define ASYNC_TIDY_BLOCKINGMESSAGES_H

#include "analysis/BlockingSummary.h"
#include "clang/Basic/Diagnostic.h"

namespace clang::tidy::async {

/// What blocks, why that hurts, and what to use in a coroutine of \p Library
/// (null: unknown) instead.
std::string blockingMessage(const async_tidy::BlockingChain &Chain,
                            const async_tidy::Library *Library);

/// The note on \p Step, which the function run by \p Before takes.
std::string hopMessage(const async_tidy::BlockingStep &Before,
                       const async_tidy::BlockingStep &Step);

/// Where \p Body first says that it is a coroutine, and by which keyword.
std::pair<SourceLocation, StringRef>
firstCoroutineKeyword(const async_tidy::FunctionBody &Body);

/// The replacement of \p Call, a statement of its own in \p Body, by \p Code,
/// in which `{0}` stands for the first argument. Null when the result might not
/// compile: in a handler (no `co_await` there), from a macro, as part of a
/// larger expression, or when the file does not declare what \p Code names.
FixItHint replaceCall(const Expr &Call, StringRef Code,
                      const async_tidy::FunctionBody &Body, ASTContext &Ctx);

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_BLOCKINGMESSAGES_H
