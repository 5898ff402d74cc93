//===--- Model.h - What a coroutine library's names mean --------*- C++ -*-===//
//
// A model answers one question: what does this name mean for timeouts,
// cancellation and blocking? `folly::coro::timeout` cancels and waits,
// `seastar::with_timeout` abandons; no check may know that, a JSON file does.
//
// One file describes one library (`checks/models/*.json`, compiled in; users
// add more). A file holds *entries*; an entry gives one name one role.
//
// Names are fully qualified and canonical: inline namespaces, anonymous
// namespaces and template arguments are left out, so `std::basic_ifstream`
// covers `std::ifstream`. `T::T` is a constructor, `T::~T` the destructor,
// `N::operator||` an operator. A variable whose `operator()` is called (a
// customisation point object) is named by the variable.
//
// Argument positions count from 0 and leave out the implicit object; negative
// ones count from the end (-1 is the last). Where overloads differ, a position
// may be a list, tried in order: the first argument that exists and has a
// fitting type is meant. An empty position of a role that works on an awaitable
// or callable means: for a member function, the object it is called on; for a
// `race` or `gather`, all arguments.
//
// Ownership: everything here lives in a ModelSet, which is immutable once
// loaded and shared by all checks; references stay valid as long as it does.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_MODELS_MODEL_H
#define ASYNC_TIDY_MODELS_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace async_tidy {

/// What a name is to the checks. The JSON spelling is the comment's first word.
enum class Role {
  // Types.
  Task,             ///< `task`: return type of a coroutine of this library.
  CancellationType, ///< `cancellation-type`: exception that *is* a
                    ///< cancellation.
  TimeoutType,      ///< `timeout-type`: exception that says "ran out of time".
  CodeException,    ///< `code-exception`: exception that carries an error code,
                    ///< which may be a cancellation code (`system_error`).
  ErrorCode,        ///< `error-code`: value type that may hold such a code.
  ErrorHolder,      ///< `error-holder`: holds an exception or a value
                    ///< (`exception_ptr`, `Try`, `expected`).
  Token,            ///< `token`: is asked whether to stop (`stop_token`).
  Source,           ///< `source`: makes tokens and can cancel (`stop_source`).
  Registration,     ///< `registration`: keeps a callback registered with a
                    ///< token for as long as it lives (`stop_callback`).
  Deadline,         ///< `deadline`: a point in time that carries a limit.
  Guard,            ///< `guard`: RAII owner of a permit or of a lock that may
                    ///< be held across awaits.
  Lock,             ///< `lock`: thread-owned mutex.
  LockGuard,        ///< `lock-guard`: RAII owner of a thread-owned mutex.
  UnlockGuard,      ///< `unlock-guard`: keeps a lock open while it lives.
  AsyncLock,        ///< `async-lock`: mutex that belongs to a coroutine or
                    ///< fiber, whatever its interface looks like.
  Queue,            ///< `queue`: see Entry::Bounded.
  LoopAffine,       ///< `loop-affine`: may be touched on its own loop only.
  Scope,            ///< `scope`: owns spawned work and must be joined.
  Pool,             ///< `pool`: executor on which blocking is acceptable.

  // Names inside conditions and handlers.
  CancellationCode, ///< `cancellation-code`: constant that means "cancelled".
  CancellationTest, ///< `cancellation-test`: asks whether *this* work was told
                    ///< to stop (`stop_requested`); true on the cancelled path.
  CancellationCheck, ///< `cancellation-check`: throws when told to stop
                     ///< (`abort_source::check`, awaiting `co_safe_point`).
  CancellationClassifier, ///< `cancellation-classifier`: says whether a given
                          ///< error is a cancellation.
  CancellationRequest,    ///< `cancellation-request`: cancels something else.
  CurrentToken,      ///< `current-token`: awaiting it gives the coroutine's own
                     ///< token.
  CancellationRaise, ///< `cancellation-raise`: completes the coroutine with
                     ///< the error it is given (`co_error`), no throw needed.
  CancellationLevel, ///< `cancellation-level`: constant that says how hard a
                     ///< request to stop is, see Entry::Level.
  CancellationFilter, ///< `cancellation-filter`: value that says which requests
                      ///< a coroutine listens to, see Entry::Level.
  ErrorTest,          ///< `error-test`: asks a holder for failure or success,
                      ///< see Entry::MeansFailure.
  ErrorAccess,        ///< `error-access`: takes the error out of a holder;
                      ///< without arguments: the exception being handled.
  Rethrow,            ///< `rethrow`: throws the error it is given or holds.
  HandOver,           ///< `hand-over`: gives an error to somebody who will
                      ///< deliver it (`promise::set_exception`).
  Logging,            ///< `logging`: writing an error here is not handling it.

  // Awaitables.
  Timeout,      ///< `timeout`: puts a limit on an awaitable.
  TimeoutToken, ///< `timeout-token`: completion token with a limit.
  Race,         ///< `race`: first of several awaitables wins.
  Gather,       ///< `gather`: waits for all of several awaitables.
  Sleep,        ///< `sleep`: awaiting it only lets time pass.
  TimerSetup,   ///< `timer-setup`: sets when a timer object fires.
  TimerWait,    ///< `timer-wait`: awaits that timer.
  Shield,       ///< `shield`: keeps cancellation away from its awaitable.
  ShieldFilter, ///< `shield-filter`: value that makes a shield of a call whose
                ///< model says `when: filter` (`disable_cancellation`).
  ToValue, ///< `to-value`: turns errors into a returned value (`as_tuple`).
  Continuation, ///< `continuation`: runs a callable with the outcome.
  Acquire,      ///< `acquire`: waits for a lock, permit, connection, slot.
  Release,      ///< `release`: gives it back.
  TryLock,      ///< `try-lock`: takes a lock if it can, see
                ///< Entry::MeansFailure.
  Disown,       ///< `disown`: makes a guard forget its lock, which stays
                ///< locked.
  ExternalIo,   ///< `external-io`: waits for another system.
  Immediate,    ///< `immediate`: awaiting it never suspends nor is cancelled.
  Immune,       ///< `immune`: awaiting it is never cut short by a cancellation.
  BestEffort,   ///< `best-effort`: closing and tidying up, whose errors are
                ///< dropped on purpose.

  // Where code runs.
  Blocking,    ///< `blocking`: holds up the calling thread.
  SyncWait,    ///< `sync-wait`: holds up the thread until *async* work is done.
  NonBlocking, ///< `nonblocking`: trusted never to hold up the thread.
  NonBlockingFlag, ///< `nonblocking-flag`: macro, constant or call which shows
                   ///< that what it is used with does not wait (`MSG_DONTWAIT`,
                   ///< `EAGAIN`, `socket.non_blocking(true)`).
  ReadyTest,       ///< `ready-test`: asks a future whether its result is there.
  Offload,         ///< `offload`: runs a callable or awaitable elsewhere.
  InlineCall,      ///< `inline-call`: runs a callable here, before returning.
  ResumeOnPool,  ///< `resume-on-pool`: after awaiting, the coroutine may block.
  ResumeOnLoop,  ///< `resume-on-loop`: after awaiting, it may not (any more).
  Post,          ///< `post`: the thread-safe way back to the loop.
  Spawn,         ///< `spawn`: starts work that nobody awaits.
  DetachedToken, ///< `detached-token`: makes a spawn fire and forget.

  // Time.
  Retry,    ///< `retry`: helper that calls its callable again on failure.
  ClockNow, ///< `clock-now`: reads a clock.

  // Context.
  TestMacro, ///< `test-macro`: handlers expanded from it state an expectation.
  Budgeted,  ///< `budgeted`: annotation: its caller keeps it within a deadline.
  Commit,    ///< `commit`: annotation: must run to its end once begun.
};

/// The JSON spelling of \p R, e.g. "timeout-token".
llvm::StringRef roleName(Role R);
/// The role spelled \p Name, if there is one.
std::optional<Role> parseRole(llvm::StringRef Name);
/// All spellings, "task, cancellation-type, …": for messages.
std::string roleNames();

/// What happens to the work under a timeout or race when time is up.
enum class OnExpiry {
  CancelsAndWaits, ///< asks it to stop and waits for it: late if it ignores
                   ///< that
  Cancels,         ///< asks it to stop and goes on at once
  Abandons,        ///< goes on at once; the work continues unseen
  Destroys,        ///< destroys the work's frame
};

/// How a library tells a coroutine that it was cancelled.
enum class Delivery {
  None,        ///< it has no cancellation
  Exception,   ///< a cancellation-type is thrown at the await
  Code,        ///< a code-exception with a cancellation-code is thrown
  Value,       ///< the await returns a value that says so
  DoneSignal,  ///< the coroutine is unwound without an exception
  Destruction, ///< the coroutine's frame is destroyed
};

/// Groups of blocking calls; each has a switch of its own.
enum class BlockingCategory {
  Sleep,      ///< lets time pass
  Sync,       ///< waits for another thread (condition variable, join, latch)
  Mutex,      ///< takes a lock: contention, a matter of policy
  Future,     ///< waits for a result
  Process,    ///< starts or waits for a process
  Net,        ///< socket I/O
  Dns,        ///< name resolution
  Db,         ///< databases and caches
  Fs,         ///< opens, reads or writes a file
  FsMetadata, ///< asks about or changes names of files: mostly short
  Stdio,      ///< terminal input
  Cpu,        ///< long computation
};
llvm::StringRef categoryName(BlockingCategory C);
std::optional<BlockingCategory> parseCategory(llvm::StringRef Name);
std::string categoryNames();

/// An argument position, see the file comment. Empty: no such argument.
using ArgPosition = llvm::SmallVector<int, 2>;

struct Library;

/// One name in one role. Which of the optional fields mean something depends on
/// the role; the schema (`schema.json`) says which are required.
struct Entry {
  Role Kind;
  std::string Name; ///< canonical; may start or end with `*`
  const Library *Owner = nullptr;

  ArgPosition Awaitable; ///< the work that is limited, shielded, converted, …
  ArgPosition Duration;  ///< relative limit or pause
  ArgPosition Deadline;  ///< absolute limit
  ArgPosition Token;     ///< cancellation token or completion token
  ArgPosition Callable;  ///< function that is run here, elsewhere or again
  ArgPosition Executor;  ///< where it runs
  ArgPosition Attempts;  ///< how often, for `retry`
  ArgPosition Budget;    ///< limit over all attempts, for `retry`

  /// Nanoseconds that one unit of a plain number argument stands for; 0 when
  /// only `std::chrono` types are taken.
  double NumberUnit = 0;

  std::optional<OnExpiry> Expiry; ///< `timeout`, `timeout-token`, `race`
  /// The name cuts its awaitable off from the caller's cancellation as well
  /// (`timeout`, `spawn`, `to-value`): it is a shield too. For an `acquire`:
  /// the wait cannot be cancelled. For a `shield`: once cancelled, its caller
  /// goes on at once and the work continues unseen.
  bool Severs = false;
  /// `shield`: when it is one. "always"; "empty-token": the token argument is
  /// default constructed; "foreign-token": the token argument is any token;
  /// "filter": an argument is a `shield-filter`.
  std::string When = "always";
  /// `timeout`: its expiry looks like a cancellation from outside. That of a
  /// `timeout-token` always does.
  bool AsCancellation = false;
  /// `cancellation-level`: how mild the request is; 1 is the hardest, which
  /// everybody listens to. `cancellation-filter`, `spawn`: the mildest request
  /// that still reaches the coroutine; of a spawned one, as long as it sets no
  /// filter of its own. Empty for a `spawn`: all do.
  std::optional<unsigned> Level;
  /// `sleep`, `acquire`, `external-io`: the name of its twin that takes a token
  /// behind the other arguments.
  std::string Abortable;
  /// `source`: who is given it by reference only listens to it, as to a token.
  bool Listened = false;
  bool Lazy = true; ///< `task`: starts when awaited
  /// `task`: a generator whose token may be another one after each `co_yield`.
  bool TokenPerItem = false;
  bool Detached = false; ///< `task`, `spawn`: nobody awaits it
  /// `error-test`, `try-lock`: it returns true (not 0) on failure.
  /// `error-holder`, `error-code`: so does its conversion to bool.
  bool MeansFailure = true;
  /// `cancellation-type`: thrown for other reasons too (a closed gate), so a
  /// handler for it, or a wider one, is no sign of a fault.
  bool Secondary = false;
  /// `continuation`: "exception" (only on failure, gets the exception),
  /// "outcome" (always, gets the future or Try), "error" (only on failure, by
  /// type).
  std::string Receives;
  /// `offload`: "pool"; "loop" (another loop, where blocking is just as bad);
  /// "executor": the Executor argument decides, a pool when its type has the
  /// role `pool` or it is taken from such an object (`pool.get_executor()`).
  std::string Runs;
  std::optional<BlockingCategory> Category; ///< `blocking`, `sync-wait`
  /// `blocking`: what to use instead, by library id; "" is the general advice.
  std::map<std::string, std::string> Replacement;
  /// `blocking`: an expression with `{0}`, `{1}` for the arguments that may
  /// replace the call in a coroutine of that library (by library id).
  std::map<std::string, std::string> ReplacementCode;
  std::optional<bool> Bounded; ///< `queue`
  /// Only calls with this many arguments as written (defaults do not count) are
  /// meant; empty: any.
  std::optional<unsigned> MinArgs, MaxArgs;
  /// Only calls with / without an argument of this canonical type are meant.
  std::string IfArgType, UnlessArgType;
  /// Only when the call's result type is, or is not, awaitable: tells a
  /// synchronous overload from its asynchronous twin.
  std::optional<bool> ReturnsAwaitable;
  std::string Note; ///< a sentence for the user, may be empty
};

/// One model file.
struct Library {
  std::string Id;    ///< "folly-coro"; key of Entry::Replacement
  std::string Title; ///< for messages: "folly::coro"
  Delivery Cancellation = Delivery::None;
  /// A cancelled caller cancels what it awaits without being told to; if not,
  /// cancellation arrives only where a token is passed.
  bool ImplicitPropagation = false;
  /// Once cancelled, each later await fails as well.
  bool Sticky = false;
  /// `catch (const std::exception &)` receives its cancellation types, also
  /// when their declarations are not in the translation unit.
  bool DerivesFromStdException = true;
  /// Text of a `catch` clause that lets cancellation through, put before a
  /// wider one by a fix-it; empty when there is none.
  std::string RethrowClause;
  /// Text of a statement that does so inside a handler of a `code-exception`;
  /// `{0}` is the exception variable.
  std::string RethrowStatement;
  /// Text of a statement after which a cancelled coroutine can await again, or
  /// of an expression that awaits `{0}` uncancelled; empty when there is none.
  std::string ShieldStatement, ShieldExpression;
  std::vector<Entry> Entries;
  /// What its coroutines use instead of blocking calls of a category, and an
  /// expression instead of a call of a name, as Entry::ReplacementCode.
  /// ModelSet copies both into the `blocking` and `sync-wait` entries of all
  /// libraries that do not say anything more specific for this one.
  std::map<BlockingCategory, std::string> Replacements;
  std::map<std::string, std::string> ReplacementCodes;
  /// Declarations that a translation unit must have for the entries to count:
  /// keeps a library of everyday names (a global `Error`, `delay`) out of
  /// programs that do not use it. Empty: they always count.
  std::vector<std::string> Requires;
  /// Its functions count only when declared `extern "C"`: `read` is not any
  /// function called read.
  bool CLinkage = false;
  bool SaysCancellation = false; ///< its file has a "cancellation" object
  std::string File;              ///< where it came from, for messages

  /// The same library under another namespace, with an identity of its own
  /// (Asio and Boost.Asio). ModelSet turns each into a library that has all
  /// entries and texts of this one, renamed.
  struct Variant {
    std::string Id, Title;
    std::map<std::string, std::string> Namespaces; ///< from here to there
    std::optional<std::string> RethrowClause, RethrowStatement;
  };
  std::vector<Variant> Variants;
};

/// All models that apply to a run.
class ModelSet {
public:
  /// The built-in models and the files \p UserFiles, in that order. A user's
  /// entry for a name and role that exists replaces the older ones; a user's
  /// file for a library that exists adds to it.
  /// \p Inline is the text of one more model, such as check options make.
  /// An error names file, line and field.
  static llvm::Expected<std::shared_ptr<const ModelSet>>
  load(llvm::ArrayRef<std::string> UserFiles, llvm::StringRef Inline = "");

  /// Where the model file \p File of a configuration is, which is relative to
  /// the configuration file that names it: looked for in the folder of
  /// \p Source, an absolute path, and those above. As given when it is nowhere.
  static std::string locate(llvm::StringRef File, llvm::StringRef Source);

  /// Reads one model from \p Json; \p File is used in messages only.
  static llvm::Expected<Library> parse(llvm::StringRef Json,
                                       llvm::StringRef File);

  /// The entries whose name is \p CanonicalName (wildcards included), in any
  /// role; library-specific ones before those of the `generic` model.
  llvm::SmallVector<const Entry *, 2>
  lookup(llvm::StringRef CanonicalName) const;

  /// The first of lookup() that has the role \p R, else null.
  const Entry *find(llvm::StringRef CanonicalName, Role R) const;

  llvm::ArrayRef<std::unique_ptr<Library>> libraries() const;
  const Library *library(llvm::StringRef Id) const;
  /// All entries of role \p R, in file order.
  std::vector<const Entry *> all(Role R) const;

  ~ModelSet();

private:
  ModelSet();
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace async_tidy

#endif // ASYNC_TIDY_MODELS_MODEL_H
