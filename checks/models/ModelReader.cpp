//===--- ModelReader.cpp - The entries of a model file --------------------===//
//
// One table says which fields each role takes and which it cannot do without;
// another how each field is read. Everything else is an error, with its line.
//
//===----------------------------------------------------------------------===//

#include "ModelReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// The table of roles
//===----------------------------------------------------------------------===//

/// The fields a role takes besides its name, and those every role takes.
static constexpr StringRef CommonFields =
    "name names note min-args max-args if-arg-type unless-arg-type "
    "returns-awaitable";

static StringRef fieldsOf(Role R) {
  switch (R) {
  case Role::Task:
    return "lazy detached token-per-item";
  case Role::Queue:
    return "bounded";
  case Role::Source:
    return "listened";
  case Role::ErrorTest:
  case Role::ErrorHolder:
  case Role::ErrorCode:
  case Role::TryLock:
    return "means";
  case Role::CancellationType:
  case Role::CodeException:
    return "secondary";
  case Role::CancellationRaise:
    return "token";
  case Role::Timeout:
    return "awaitable callable duration deadline token unit on-expiry severs "
           "as-cancellation";
  case Role::TimeoutToken:
    return "token duration deadline unit on-expiry";
  case Role::Race:
    return "awaitable token on-expiry";
  case Role::Gather:
    return "awaitable token";
  case Role::Sleep:
    return "duration deadline unit token abortable";
  case Role::TimerSetup:
    return "duration deadline unit";
  case Role::ClockNow:
    return "duration unit";
  case Role::TimerWait:
    return "token";
  case Role::Shield:
    return "awaitable token when severs";
  case Role::ToValue:
    return "awaitable callable token severs";
  case Role::Continuation:
    return "awaitable callable receives";
  case Role::Acquire:
    return "duration deadline unit token callable severs abortable";
  case Role::ExternalIo:
    return "duration deadline unit token callable abortable";
  case Role::Blocking:
    return "category duration deadline unit callable replacement "
           "replacement-code";
  case Role::SyncWait:
    return "category awaitable duration deadline unit callable replacement "
           "replacement-code";
  case Role::Offload:
    return "callable awaitable executor token runs severs";
  case Role::InlineCall:
    return "callable";
  case Role::ResumeOnPool:
    return "executor";
  case Role::Post:
    return "callable executor token";
  case Role::Spawn:
    return "awaitable callable executor token severs detached level";
  case Role::CancellationLevel:
  case Role::CancellationFilter:
    return "level";
  case Role::Retry:
    return "callable attempts budget duration unit token";
  default:
    return "";
  }
}

static bool takes(Role R, StringRef Field) {
  for (StringRef Fields : {CommonFields, fieldsOf(R)})
    for (StringRef Rest = Fields; !Rest.empty();) {
      auto [Word, Tail] = Rest.split(' ');
      if (Word == Field)
        return true;
      Rest = Tail;
    }
  return false;
}

static std::string listed(StringRef Fields) {
  SmallVector<StringRef, 16> Words;
  Fields.split(Words, ' ', -1, /*KeepEmpty=*/false);
  return join(Words, ", ");
}

bool ModelReader::required(Role R, const JsonNode &N, const Twine &Field,
                           const Entry &E) {
  auto Missing = [&](const Twine &What) {
    return fail(N, Field, "role '" + roleName(R) + "' needs " + What);
  };
  bool HasLimit = !E.Duration.empty() || !E.Deadline.empty();
  switch (R) {
  case Role::Timeout:
  case Role::TimeoutToken:
    if (!HasLimit)
      return Missing("'duration' or 'deadline'");
    [[fallthrough]];
  case Role::Race:
    return E.Expiry || Missing("'on-expiry'");
  case Role::TimerSetup:
    return HasLimit || Missing("'duration' or 'deadline'");
  case Role::Shield:
    if (E.When == "empty-token" || E.When == "foreign-token")
      return !E.Token.empty() || Missing("'token' for this 'when'");
    return true;
  case Role::Continuation:
    if (E.Callable.empty())
      return Missing("'callable'");
    return !E.Receives.empty() || Missing("'receives'");
  case Role::Blocking:
    return E.Category || Missing("'category'");
  case Role::Offload:
    if (E.Runs.empty())
      return Missing("'runs'");
    return E.Runs != "executor" || !E.Executor.empty() ||
           Missing("'executor' for this 'runs'");
  case Role::InlineCall:
  case Role::Retry:
    return !E.Callable.empty() || Missing("'callable'");
  case Role::CancellationLevel:
  case Role::CancellationFilter:
    return E.Level || Missing("'level'");
  case Role::Queue:
    return E.Bounded || Missing("'bounded'");
  default:
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool ModelReader::string(const JsonNode &N, const Twine &Field,
                         std::string &Out) {
  if (!expect(N, Kind::String, Field, "a string"))
    return false;
  if (N.String.empty())
    return fail(N, Field, "must not be empty");
  Out = N.String;
  return true;
}

bool ModelReader::boolean(const JsonNode &N, const Twine &Field, bool &Out) {
  Out = N.Bool;
  return expect(N, Kind::Bool, Field, "true or false");
}

bool ModelReader::texts(const JsonNode &N, const Twine &Field, bool AllowPlain,
                        std::map<std::string, std::string> &Out) {
  if (AllowPlain && N.K == Kind::String)
    return string(N, Field, Out[""]);
  if (N.K != Kind::Object)
    return fail(N, Field,
                Twine("expected an object of library id to text") +
                    (AllowPlain ? ", or a string" : "") + ", found " +
                    N.kindName());
  for (const JsonNode::Member &M : N.Members)
    if (!string(M.Value, Field + "." + M.Key, Out[M.Key]))
      return false;
  return true;
}

bool ModelReader::position(const JsonNode &N, const Twine &Field,
                           ArgPosition &Out) {
  StringRef Wanted = "an argument position (0 is the first, -1 the last) or a "
                     "list of them";
  if (N.K == Kind::Array) {
    if (N.Elements.empty())
      return fail(N, Field, "expected " + Wanted + ", found an empty list");
    for (const JsonNode &E : N.Elements)
      if (E.K == Kind::Array || !position(E, Field, Out))
        return fail(E, Field, "expected " + Wanted + ", found " + E.kindName());
    return true;
  }
  if (!expect(N, Kind::Integer, Field, Wanted))
    return false;
  if (N.Integer < -16 || N.Integer > 63)
    return fail(N, Field,
                Twine(N.Integer) + " is no argument position (-16 to 63)");
  Out.push_back(int(N.Integer));
  return true;
}

bool ModelReader::count(const JsonNode &N, const Twine &Field,
                        std::optional<unsigned> &Out) {
  if (!expect(N, Kind::Integer, Field, "a number of arguments"))
    return false;
  if (N.Integer < 0 || N.Integer > 64)
    return fail(N, Field, Twine(N.Integer) + " is no number of arguments");
  Out = unsigned(N.Integer);
  return true;
}

bool ModelReader::level(const JsonNode &N, const Twine &Field,
                        std::optional<unsigned> &Out) {
  if (!expect(N, Kind::Integer, Field, "a level"))
    return false;
  if (N.Integer < 1 || N.Integer > 9)
    return fail(N, Field, Twine(N.Integer) + " is no level from 1 to 9");
  Out = unsigned(N.Integer);
  return true;
}

bool ModelReader::unit(const JsonNode &N, const Twine &Field, double &Out) {
  return choose<double>(N, Field, Out,
                        {{"ns", 1},
                         {"us", 1e3},
                         {"ms", 1e6},
                         {"s", 1e9},
                         {"min", 60e9},
                         {"h", 3600e9}});
}

/// Canonical names are what the AST helper produces: no template arguments, no
/// leading `::`, no spaces but those in conversion operators.
bool ModelReader::name(const JsonNode &N, const Twine &Field,
                       std::string &Out) {
  if (!string(N, Field, Out))
    return false;
  StringRef Name = Out;
  if (Name.starts_with("::"))
    return fail(N, Field, "'" + Name + "': leave out the leading '::'");
  StringRef Inner = Name;
  bool Wild = Inner.consume_front("*");
  Wild |= Inner.consume_back("*");
  if (Inner.contains('*') && !Inner.contains("operator"))
    return fail(N, Field,
                "'" + Name + "': a '*' may stand at the start or end only");
  if (Wild && Inner.trim(':').empty())
    return fail(N, Field, "'" + Name + "' would match every name");
  size_t Operator = Inner.find("operator");
  StringRef Plain = Inner.take_front(Operator);
  if (Plain.contains('<') || Plain.contains('('))
    return fail(N, Field,
                "'" + Name +
                    "': leave out template arguments and parameter lists");
  if (Plain.find_if([](char C) {
        return !isAlnum(C) && C != '_' && C != ':' && C != '~';
      }) != StringRef::npos)
    return fail(N, Field, "'" + Name + "' is no qualified name");
  return true;
}

bool ModelReader::names(const JsonNode &N, const Twine &FieldT,
                        std::vector<std::string> &Out) {
  std::string Field = FieldT.str();
  if (!expect(N, Kind::Array, Field, "a list of names"))
    return false;
  if (N.Elements.empty())
    return fail(N, Field, "must not be empty");
  Out.assign(N.Elements.size(), "");
  for (size_t I = 0; I < Out.size(); ++I)
    if (!name(N.Elements[I], Field + "[" + Twine(I) + "]", Out[I]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool ModelReader::field(const JsonNode::Member &M, const Twine &Field,
                        Entry &E) {
  StringRef K = M.Key;
  const JsonNode &N = M.Value;
  struct Position {
    StringRef Key;
    ArgPosition Entry::*Member;
  };
  for (Position P : {Position{"awaitable", &Entry::Awaitable},
                     {"duration", &Entry::Duration},
                     {"deadline", &Entry::Deadline},
                     {"token", &Entry::Token},
                     {"callable", &Entry::Callable},
                     {"executor", &Entry::Executor},
                     {"attempts", &Entry::Attempts},
                     {"budget", &Entry::Budget}})
    if (K == P.Key)
      return position(N, Field, E.*P.Member);
  bool Flag = false;
  if (K == "unit")
    return unit(N, Field, E.NumberUnit);
  if (K == "severs")
    return boolean(N, Field, E.Severs);
  if (K == "as-cancellation")
    return boolean(N, Field, E.AsCancellation);
  if (K == "level")
    return level(N, Field, E.Level);
  if (K == "lazy")
    return boolean(N, Field, E.Lazy);
  if (K == "token-per-item")
    return boolean(N, Field, E.TokenPerItem);
  if (K == "listened")
    return boolean(N, Field, E.Listened);
  if (K == "abortable")
    return name(N, Field, E.Abortable);
  if (K == "secondary")
    return boolean(N, Field, E.Secondary);
  if (K == "detached")
    return boolean(N, Field, E.Detached);
  if (K == "bounded" || K == "returns-awaitable") {
    (K == "bounded" ? E.Bounded : E.ReturnsAwaitable) = N.Bool;
    return boolean(N, Field, Flag);
  }
  if (K == "means")
    return choose<bool>(N, Field, E.MeansFailure,
                        {{"failure", true}, {"success", false}});
  if (K == "on-expiry") {
    OnExpiry X = OnExpiry::Abandons;
    if (!choose<OnExpiry>(N, Field, X,
                          {{"cancels-and-waits", OnExpiry::CancelsAndWaits},
                           {"cancels", OnExpiry::Cancels},
                           {"abandons", OnExpiry::Abandons},
                           {"destroys", OnExpiry::Destroys}}))
      return false;
    E.Expiry = X;
    return true;
  }
  if (K == "when")
    return choose<std::string>(N, Field, E.When,
                               {{"always", "always"},
                                {"empty-token", "empty-token"},
                                {"foreign-token", "foreign-token"},
                                {"filter", "filter"}});
  if (K == "receives")
    return choose<std::string>(N, Field, E.Receives,
                               {{"exception", "exception"},
                                {"outcome", "outcome"},
                                {"error", "error"}});
  if (K == "runs")
    return choose<std::string>(
        N, Field, E.Runs,
        {{"pool", "pool"}, {"loop", "loop"}, {"executor", "executor"}});
  if (K == "category") {
    std::string Name;
    if (!string(N, Field, Name))
      return false;
    E.Category = parseCategory(Name);
    return E.Category || fail(N, Field,
                              "expected one of " + categoryNames() +
                                  "; found '" + Name + "'");
  }
  if (K == "replacement")
    return texts(N, Field, /*AllowPlain=*/true, E.Replacement);
  if (K == "replacement-code")
    return texts(N, Field, /*AllowPlain=*/false, E.ReplacementCode);
  if (K == "min-args")
    return count(N, Field, E.MinArgs);
  if (K == "max-args")
    return count(N, Field, E.MaxArgs);
  if (K == "if-arg-type")
    return name(N, Field, E.IfArgType);
  if (K == "unless-arg-type")
    return name(N, Field, E.UnlessArgType);
  assert(K == "note" && "a field of the role table without a reader");
  return string(N, Field, E.Note);
}

void ModelReader::add(Entry E, Library &L) {
  for (const auto &[From, To] : Aliases)
    if (StringRef Rest = E.Name; Rest.consume_front(From + "::")) {
      Entry Alias = E;
      Alias.Name = (To + "::" + Rest).str();
      L.Entries.push_back(std::move(Alias));
    }
  L.Entries.push_back(std::move(E));
}

bool ModelReader::entry(Role R, const JsonNode &N, const Twine &FieldT,
                        Library &L) {
  std::string Field = FieldT.str();
  Entry E;
  E.Kind = R;
  // Who tries to take a lock says by true that it has it.
  E.MeansFailure = R != Role::TryLock;
  std::vector<std::string> Names(1);
  if (N.K == Kind::String) {
    if (!name(N, Field, Names[0]) || !required(R, N, Field, E))
      return false;
  } else {
    if (!expect(N, Kind::Object, Field, "a name or an object with 'name'"))
      return false;
    for (const JsonNode::Member &M : N.Members) {
      std::string Inner = Field + "." + M.Key;
      if (!takes(R, M.Key))
        return failLine(M.Line, Inner,
                        "unknown field for role '" + roleName(R) +
                            "'; allowed: " +
                            listed((CommonFields + " " + fieldsOf(R)).str()));
      if (M.Key == "name") {
        if (!name(M.Value, Inner, Names[0]))
          return false;
      } else if (M.Key == "names") {
        if (!names(M.Value, Inner, Names))
          return false;
      } else if (!field(M, Inner, E)) {
        return false;
      }
    }
    if (bool(N.member("name")) == bool(N.member("names")))
      return fail(N, Field, "needs either 'name' or 'names'");
    if (!required(R, N, Field, E))
      return false;
    if (E.MinArgs && E.MaxArgs && *E.MinArgs > *E.MaxArgs)
      return fail(*N.member("max-args"), Field + ".max-args",
                  "is less than 'min-args'");
  }
  if (R == Role::SyncWait && !E.Category)
    E.Category = BlockingCategory::Future;
  for (std::string &Name : Names) {
    E.Name = std::move(Name);
    add(E, L);
  }
  return true;
}

bool ModelReader::group(Role R, const JsonNode &N, const Twine &FieldT,
                        Library &L) {
  std::string Field = FieldT.str();
  if (!expect(N, Kind::Array, Field, "a list of entries"))
    return false;
  for (size_t I = 0; I < N.Elements.size(); ++I)
    if (!entry(R, N.Elements[I], Field + "[" + Twine(I) + "]", L))
      return false;
  return true;
}

} // namespace async_tidy
