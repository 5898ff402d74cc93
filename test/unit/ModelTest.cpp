//===--- ModelTest.cpp - The loader and the built-in models ---------------===//

#include "checks/models/Model.h"
#include "checks/models/BuiltinModels.h"
#include "checks/models/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace async_tidy;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The message for the broken model \p Json; "" when it is not broken.
std::string mistake(llvm::StringRef Json) {
  llvm::Expected<Library> L = ModelSet::parse(Json, "m.json");
  return L ? "" : llvm::toString(L.takeError());
}

/// The message for a model whose only role \p Role has the one entry \p Entry,
/// which stands on line 2.
std::string entryMistake(llvm::StringRef Role, llvm::StringRef Entry) {
  return mistake(("{\"library\": \"l\", \"entries\": {\"" + Role + "\": [\n" +
                  Entry + "\n]}}")
                     .str());
}

Library parsed(llvm::StringRef Json) {
  llvm::Expected<Library> L = ModelSet::parse(Json, "m.json");
  EXPECT_TRUE(bool(L)) << llvm::toString(L.takeError());
  return L ? std::move(*L) : Library();
}

Entry parsedEntry(llvm::StringRef Role, llvm::StringRef Json) {
  Library L = parsed(
      ("{\"library\": \"l\", \"entries\": {\"" + Role + "\": [" + Json + "]}}")
          .str());
  EXPECT_EQ(L.Entries.size(), 1u);
  return L.Entries.empty() ? Entry() : L.Entries.front();
}

std::shared_ptr<const ModelSet> builtin() {
  auto Set = ModelSet::load({});
  EXPECT_TRUE(bool(Set)) << llvm::toString(Set.takeError());
  return *Set;
}

/// A file that is gone at the end of the test.
class TempFile {
public:
  explicit TempFile(llvm::StringRef Text) {
    llvm::SmallString<128> P;
    int FD;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("model", "json", FD, P));
    llvm::raw_fd_ostream(FD, /*shouldClose=*/true) << Text;
    Path = P.str().str();
  }
  ~TempFile() { llvm::sys::fs::remove(Path); }
  std::string Path;
};

std::shared_ptr<const ModelSet> loadedWith(llvm::StringRef UserModel) {
  TempFile File(UserModel);
  auto Set = ModelSet::load({File.Path});
  EXPECT_TRUE(bool(Set)) << llvm::toString(Set.takeError());
  return *Set;
}

std::vector<std::string> roles(const ModelSet &Set, llvm::StringRef Name) {
  std::vector<std::string> Out;
  for (const Entry *E : Set.lookup(Name))
    Out.push_back(roleName(E->Kind).str());
  return Out;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TEST(ModelReader, ReadsWhatALibrarySays) {
  Library L = parsed(R"json({
    "library": "mine", "title": "My Library",
    "cancellation": {
      "delivery": "exception", "propagation": "implicit", "sticky": true,
      "derives-from-std-exception": false,
      "rethrow-clause": "catch (const mine::stop &) { throw; }",
      "rethrow-statement": "if ({0}.stopped()) throw;"
    },
    "replacements": {"net": "mine::socket"},
    "replacement-code": {"std::this_thread::sleep_for": "co_await mine::nap({0})"},
    "requires": ["mine::task"], "c-linkage": true
})json");
  EXPECT_EQ(L.Id, "mine");
  EXPECT_EQ(L.Title, "My Library");
  EXPECT_EQ(L.Cancellation, Delivery::Exception);
  EXPECT_TRUE(L.ImplicitPropagation);
  EXPECT_TRUE(L.Sticky);
  EXPECT_FALSE(L.DerivesFromStdException);
  EXPECT_EQ(L.RethrowClause, "catch (const mine::stop &) { throw; }");
  EXPECT_EQ(L.RethrowStatement, "if ({0}.stopped()) throw;");
  EXPECT_EQ(L.Replacements.at(BlockingCategory::Net), "mine::socket");
  EXPECT_EQ(L.ReplacementCodes.at("std::this_thread::sleep_for"),
            "co_await mine::nap({0})");
  EXPECT_THAT(L.Requires, ElementsAre("mine::task"));
  EXPECT_TRUE(L.CLinkage);
  EXPECT_EQ(L.File, "m.json");
}

TEST(ModelReader, TitleIsTheIdUnlessGiven) {
  EXPECT_EQ(parsed(R"json({"library": "mine"})json").Title, "mine");
}

TEST(ModelReader, ReadsPositionsAndConditions) {
  Entry E = parsedEntry("timeout", R"json({
    "name": "mine::limit", "awaitable": 0, "duration": [1, -1], "deadline": 1,
    "token": 2, "unit": "ms", "on-expiry": "abandons", "severs": true,
    "min-args": 2, "max-args": 3, "if-arg-type": "mine::task",
    "unless-arg-type": "mine::tag", "returns-awaitable": true, "note": "why"})json");
  EXPECT_EQ(E.Kind, Role::Timeout);
  EXPECT_EQ(E.Name, "mine::limit");
  EXPECT_THAT(E.Awaitable, ElementsAre(0));
  EXPECT_THAT(E.Duration, ElementsAre(1, -1));
  EXPECT_THAT(E.Deadline, ElementsAre(1));
  EXPECT_THAT(E.Token, ElementsAre(2));
  EXPECT_EQ(E.NumberUnit, 1e6);
  EXPECT_EQ(E.Expiry, OnExpiry::Abandons);
  EXPECT_TRUE(E.Severs);
  EXPECT_EQ(E.MinArgs, 2u);
  EXPECT_EQ(E.MaxArgs, 3u);
  EXPECT_EQ(E.IfArgType, "mine::task");
  EXPECT_EQ(E.UnlessArgType, "mine::tag");
  EXPECT_EQ(E.ReturnsAwaitable, true);
  EXPECT_EQ(E.Note, "why");
}

TEST(ModelReader, ReadsTheFieldsOfSingleRoles) {
  Entry Blocking = parsedEntry("blocking", R"json({
    "name": "nap", "category": "fs-metadata", "replacement": "sleeping",
    "replacement-code": {"mine": "co_await mine::nap({0})"}
})json");
  EXPECT_EQ(Blocking.Category, BlockingCategory::FsMetadata);
  EXPECT_EQ(Blocking.Replacement.at(""), "sleeping");
  EXPECT_EQ(Blocking.ReplacementCode.at("mine"), "co_await mine::nap({0})");

  Entry Task = parsedEntry(
      "task",
      R"json({"name": "mine::job", "lazy": false, "detached": true})json");
  EXPECT_FALSE(Task.Lazy);
  EXPECT_TRUE(Task.Detached);

  EXPECT_FALSE(
      parsedEntry("error-test", R"json({"name": "ok", "means": "success"})json")
          .MeansFailure);
  EXPECT_EQ(
      parsedEntry("shield",
                  R"json({"name": "s", "token": 0, "when": "empty-token"})json")
          .When,
      "empty-token");
  EXPECT_EQ(parsedEntry(
                "continuation",
                R"json({"name": "c", "callable": 0, "receives": "error"})json")
                .Receives,
            "error");
  EXPECT_EQ(
      parsedEntry("offload", R"json({"name": "o", "runs": "loop"})json").Runs,
      "loop");
  EXPECT_EQ(parsedEntry("queue", R"json({"name": "q", "bounded": false})json")
                .Bounded,
            false);
  // A sync-wait waits for a result unless it says otherwise.
  EXPECT_EQ(parsedEntry("sync-wait", R"json("w")json").Category,
            BlockingCategory::Future);
  Entry Retry = parsedEntry("retry", R"json({
    "name": "r", "callable": -1, "attempts": 0, "budget": 1, "duration": 2})json");
  EXPECT_THAT(Retry.Attempts, ElementsAre(0));
  EXPECT_THAT(Retry.Budget, ElementsAre(1));
}

TEST(ModelReader, ANameAloneIsAnEntryAndNamesAreSeveral) {
  Library L = parsed(R"json({"library": "l", "entries": {
    "token": ["a::b", {"names": ["c", "d"], "note": "both"}]}})json");
  ASSERT_EQ(L.Entries.size(), 3u);
  EXPECT_EQ(L.Entries[0].Name, "a::b");
  EXPECT_EQ(L.Entries[1].Name, "c");
  EXPECT_EQ(L.Entries[2].Name, "d");
  EXPECT_EQ(L.Entries[2].Note, "both");
}

TEST(ModelReader, NamespaceAliasesDoubleTheEntries) {
  Library L =
      parsed(R"json({"library": "l", "entries": {"token": ["a::x", "b::y"]},
    "namespace-aliases": {"a": ["z::a"]}})json");
  std::vector<std::string> Names;
  for (const Entry &E : L.Entries)
    Names.push_back(E.Name);
  EXPECT_THAT(Names, testing::UnorderedElementsAre("a::x", "z::a::x", "b::y"));
}

//===----------------------------------------------------------------------===//
// Mistakes: file, line and field of each
//===----------------------------------------------------------------------===//

TEST(ModelMistakes, Syntax) {
  EXPECT_THAT(mistake("{\n\"library\": \"l\",\n]"),
              testing::StartsWith("m.json:3: syntax error"));
  EXPECT_THAT(mistake(""), testing::StartsWith("m.json:1: syntax error"));
}

TEST(ModelMistakes, AKeyGivenTwice) {
  EXPECT_EQ(mistake("{\"library\": \"l\",\n\n\"library\": \"m\"}"),
            "m.json:3: library: the key is given twice");
}

TEST(ModelMistakes, NotAModel) {
  EXPECT_THAT(mistake("[]"), HasSubstr("m.json:1: expected a model"));
  EXPECT_EQ(mistake("\n{}"),
            "m.json:2: library: missing: the id of the library");
}

TEST(ModelMistakes, UnknownFieldOfTheFile) {
  EXPECT_THAT(mistake("{\"library\": \"l\",\n\"titel\": \"L\"}"),
              testing::StartsWith("m.json:2: titel: unknown field; allowed: "
                                  "library, title, cancellation"));
}

TEST(ModelMistakes, UnknownRole) {
  std::string Text =
      mistake("{\"library\": \"l\", \"entries\": {\n\n\"time-out\": []}}");
  EXPECT_THAT(Text, testing::StartsWith(
                        "m.json:3: entries.time-out: unknown role; allowed: "));
  EXPECT_THAT(Text, HasSubstr("timeout-token"));
}

TEST(ModelMistakes, UnknownFieldOfAnEntry) {
  EXPECT_THAT(entryMistake("task", "{\"name\": \"t\",\n\"duration\": 0}"),
              testing::StartsWith("m.json:3: entries.task[0].duration: unknown "
                                  "field for role 'task'; allowed: name, "));
}

TEST(ModelMistakes, WrongTypes) {
  EXPECT_EQ(mistake("{\"library\":\n7}"),
            "m.json:2: library: expected a string, found a number");
  EXPECT_EQ(mistake("{\"library\": \"l\", \"entries\": {\"task\":\n{}}}"),
            "m.json:2: entries.task: expected a list of entries, found an "
            "object");
  EXPECT_EQ(entryMistake("task", "7"),
            "m.json:2: entries.task[0]: expected a name or an object with "
            "'name', found a number");
  EXPECT_EQ(entryMistake("task", "{\"name\": \"t\", \"lazy\": 1}"),
            "m.json:2: entries.task[0].lazy: expected true or false, found a "
            "number");
  EXPECT_THAT(entryMistake("sleep", "{\"name\": \"s\",\n\"duration\": \"0\"}"),
              testing::StartsWith("m.json:3: entries.sleep[0].duration: "
                                  "expected an argument position"));
  EXPECT_THAT(
      entryMistake("sleep", "{\"name\": \"s\", \"duration\": [0, 1.5]}"),
      HasSubstr("expected an argument position"));
  EXPECT_THAT(entryMistake("sleep", "{\"name\": \"s\", \"duration\": [[0]]}"),
              HasSubstr("found an array"));
  EXPECT_EQ(entryMistake("sleep", "{\"name\": \"s\", \"duration\": 99}"),
            "m.json:2: entries.sleep[0].duration: 99 is no argument position "
            "(-16 to 63)");
  EXPECT_EQ(entryMistake("task", "{\"name\": \"t\", \"max-args\": -1}"),
            "m.json:2: entries.task[0].max-args: -1 is no number of arguments");
  EXPECT_EQ(entryMistake("task", "{\"names\": \"t\"}"),
            "m.json:2: entries.task[0].names: expected a list of names, found "
            "a string");
  EXPECT_EQ(mistake("{\"library\": \"l\",\n\"c-linkage\": null}"),
            "m.json:2: c-linkage: expected true or false, found null");
}

TEST(ModelMistakes, ALineNumberIsThatOfTheValue) {
  // A number is read up to the character after it; that may be a line's end.
  EXPECT_THAT(entryMistake("task", "{\"name\": \"t\", \"lazy\":\n\n1\n}"),
              testing::StartsWith("m.json:4: entries.task[0].lazy: "));
}

TEST(ModelMistakes, BadChoices) {
  EXPECT_EQ(
      entryMistake("race", "{\"name\": \"r\",\n\"on-expiry\": \"cancel\"}"),
      "m.json:3: entries.race[0].on-expiry: expected one of "
      "'cancels-and-waits', 'cancels', 'abandons', 'destroys'; found 'cancel'");
  EXPECT_EQ(entryMistake("offload", "{\"name\": \"o\", \"runs\": 1}"),
            "m.json:2: entries.offload[0].runs: expected one of 'pool', "
            "'loop', 'executor'; found a number");
  EXPECT_THAT(
      entryMistake("blocking", "{\"name\": \"b\", \"category\": \"disk\"}"),
      testing::AllOf(HasSubstr("m.json:2: entries.blocking[0].category: "),
                     HasSubstr("fs-metadata"), HasSubstr("found 'disk'")));
  EXPECT_THAT(mistake("{\"library\": \"l\", \"cancellation\": {\n"
                      "\"delivery\": \"signal\"}}"),
              testing::StartsWith("m.json:2: cancellation.delivery: expected "
                                  "one of 'none', 'exception'"));
  EXPECT_THAT(mistake("{\"library\": \"l\", \"replacements\": {\n"
                      "\"disk\": \"x\"}}"),
              testing::StartsWith("m.json:2: replacements.disk: unknown "
                                  "category; allowed: sleep, "));
}

TEST(ModelMistakes, MissingFields) {
  EXPECT_EQ(entryMistake("timeout", "{\"name\": \"t\", \"duration\": 0}"),
            "m.json:2: entries.timeout[0]: role 'timeout' needs 'on-expiry'");
  EXPECT_EQ(entryMistake("timeout", "\"t\""),
            "m.json:2: entries.timeout[0]: role 'timeout' needs 'duration' or "
            "'deadline'");
  EXPECT_THAT(entryMistake("timeout-token", "\"t\""), HasSubstr("needs"));
  EXPECT_THAT(entryMistake("timer-setup", "\"t\""),
              HasSubstr("needs 'duration' or 'deadline'"));
  EXPECT_THAT(entryMistake("race", "\"r\""), HasSubstr("needs 'on-expiry'"));
  EXPECT_THAT(
      entryMistake("shield", "{\"name\": \"s\", \"when\": \"foreign-token\"}"),
      HasSubstr("needs 'token' for this 'when'"));
  EXPECT_THAT(
      entryMistake("continuation", "{\"name\": \"c\", \"callable\": 0}"),
      HasSubstr("needs 'receives'"));
  EXPECT_THAT(entryMistake("blocking", "\"b\""), HasSubstr("needs 'category'"));
  EXPECT_THAT(entryMistake("offload", "\"o\""), HasSubstr("needs 'runs'"));
  EXPECT_THAT(
      entryMistake("offload", "{\"name\": \"o\", \"runs\": \"executor\"}"),
      HasSubstr("needs 'executor' for this 'runs'"));
  EXPECT_THAT(entryMistake("inline-call", "\"i\""),
              HasSubstr("needs 'callable'"));
  EXPECT_THAT(entryMistake("retry", "\"r\""), HasSubstr("needs 'callable'"));
  EXPECT_THAT(entryMistake("queue", "\"q\""), HasSubstr("needs 'bounded'"));
  EXPECT_EQ(mistake("{\"library\": \"l\",\n\"cancellation\": {}}"),
            "m.json:2: cancellation: needs 'delivery'");
  EXPECT_EQ(mistake("{\"library\": \"l\", \"variants\": [\n"
                    "{\"library\": \"m\"}]}"),
            "m.json:2: variants[0]: needs 'library' and 'namespaces'");
}

TEST(ModelMistakes, Names) {
  EXPECT_EQ(entryMistake("task", "{\"lazy\": true}"),
            "m.json:2: entries.task[0]: needs either 'name' or 'names'");
  EXPECT_EQ(entryMistake("task", "{\"name\": \"a\", \"names\": [\"b\"]}"),
            "m.json:2: entries.task[0]: needs either 'name' or 'names'");
  EXPECT_EQ(entryMistake("task", "{\"names\": []}"),
            "m.json:2: entries.task[0].names: must not be empty");
  EXPECT_EQ(entryMistake("task", "\"\""),
            "m.json:2: entries.task[0]: must not be empty");
  EXPECT_EQ(entryMistake("task", "{\"names\": [\"a\",\n\"::b\"]}"),
            "m.json:3: entries.task[0].names[1]: '::b': leave out the leading "
            "'::'");
  EXPECT_THAT(entryMistake("task", "\"std::future<int>\""),
              HasSubstr("leave out template arguments"));
  EXPECT_THAT(entryMistake("task", "\"f()\""),
              HasSubstr("leave out template arguments and parameter lists"));
  EXPECT_THAT(entryMistake("task", "\"a b\""),
              HasSubstr("'a b' is no qualified name"));
  EXPECT_THAT(entryMistake("task", "\"a*b\""),
              HasSubstr("a '*' may stand at the start or end only"));
  EXPECT_THAT(entryMistake("task", "\"*::*\""),
              HasSubstr("would match every name"));
  EXPECT_EQ(entryMistake(
                "task", "{\"name\": \"a\", \"min-args\": 2,\n\"max-args\": 1}"),
            "m.json:3: entries.task[0].max-args: is less than 'min-args'");
}

TEST(ModelMistakes, OperatorsAreNames) {
  for (const char *Name :
       {"a::operator||", "a::operator*", "a::operator()", "a::operator<<",
        "a::b::operator bool", "operator co_await", "a::b::~b"})
    EXPECT_EQ(entryMistake("logging", ("\"" + std::string(Name) + "\"")), "");
}

TEST(ModelMistakes, AFileThatCannotBeRead) {
  auto Set = ModelSet::load({"/nowhere/model.json"});
  ASSERT_FALSE(bool(Set));
  EXPECT_THAT(llvm::toString(Set.takeError()),
              testing::StartsWith("/nowhere/model.json:1: cannot read: "));
}

TEST(ModelMistakes, OfAUsersFileNameIt) {
  TempFile File("{\n\"library\": 1}");
  auto Set = ModelSet::load({File.Path});
  ASSERT_FALSE(bool(Set));
  EXPECT_EQ(llvm::toString(Set.takeError()),
            File.Path + ":2: library: expected a string, found a number");
}

TEST(ModelSet, AFileIsFoundFromTheSourceUpwards) {
  llvm::SmallString<128> Top;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("models", Top));
  std::string Root = Top.str().str();
  ASSERT_FALSE(llvm::sys::fs::create_directories(Root + "/src/deep"));
  ASSERT_FALSE(llvm::sys::fs::create_directories(Root + "/tools"));
  {
    std::error_code EC;
    llvm::raw_fd_ostream(Root + "/tools/m.json", EC) << "{}";
    ASSERT_FALSE(EC);
  }
  std::string Source = Root + "/src/deep/a.cpp";
  EXPECT_EQ(ModelSet::locate("tools/m.json", Source), Root + "/tools/m.json");
  EXPECT_EQ(ModelSet::locate("m.json", Source), "m.json");
  EXPECT_EQ(ModelSet::locate("/x/m.json", Source), "/x/m.json");
  llvm::sys::fs::remove_directories(Root);
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

TEST(ModelSet, Wildcards) {
  auto Set = loadedWith(R"json({"library": "mine", "entries": {
    "token": ["*::wc_last"], "lock": ["wc_front*"], "scope": ["*wc_part*"],
    "guard": ["wcns::*"], "pool": ["*::wc_start*"]}})json");
  EXPECT_THAT(roles(*Set, "a::b::wc_last"), ElementsAre("token"));
  EXPECT_THAT(roles(*Set, "wc_last"), ElementsAre("token"));
  EXPECT_THAT(roles(*Set, "a::not_wc_last"), ElementsAre());
  EXPECT_THAT(roles(*Set, "wc_front_door"), ElementsAre("lock"));
  EXPECT_THAT(roles(*Set, "a::wc_front"), ElementsAre());
  EXPECT_THAT(roles(*Set, "a::xwc_partx::b"), ElementsAre("scope"));
  EXPECT_THAT(roles(*Set, "wcns::a::b"), ElementsAre("guard"));
  EXPECT_THAT(roles(*Set, "wcns"), ElementsAre());
  EXPECT_THAT(roles(*Set, "a::wc_started"), ElementsAre("pool"));
  EXPECT_THAT(roles(*Set, "wc_started"), ElementsAre("pool"));
  EXPECT_THAT(roles(*Set, "a::not_wc_started"), ElementsAre());
}

TEST(ModelSet, OperatorsAreNoWildcards) {
  auto Set = loadedWith(
      R"json({"library": "mine", "entries": {"token": ["mine::operator*"]}})json");
  EXPECT_THAT(roles(*Set, "mine::operator*"), ElementsAre("token"));
  EXPECT_THAT(roles(*Set, "mine::operator*="), ElementsAre());
}

TEST(ModelSet, LibrariesComeBeforeConventions) {
  auto Set = loadedWith(R"json({"library": "mine", "entries": {
    "best-effort": [{"name": "*::shutdown", "note": "mine"}],
    "acquire": ["mine::shutdown"]}})json");
  // The user's entry for the same name and role stands in for the built-in one.
  EXPECT_EQ(Set->find("x::shutdown", Role::BestEffort)->Owner->Id, "mine");
  auto Found = Set->lookup("mine::shutdown");
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0]->Kind, Role::Acquire);
}

TEST(ModelSet, AUsersEntryReplacesTheBuiltInOne) {
  ASSERT_EQ(builtin()->find("std::mutex::lock", Role::Blocking)->Category,
            BlockingCategory::Mutex);
  auto Set = loadedWith(R"json({"library": "mine", "entries": {"blocking": [
    {"name": "std::mutex::lock", "category": "sync"}]}})json");
  auto Found = Set->lookup("std::mutex::lock");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0]->Category, BlockingCategory::Sync);
  EXPECT_EQ(Found[0]->Owner->Id, "mine");
  // Other roles and other files' names stay.
  EXPECT_TRUE(Set->find("std::mutex", Role::Lock));
  EXPECT_TRUE(Set->find("std::recursive_mutex::lock", Role::Blocking));
  // The set without user files is not touched.
  EXPECT_EQ(builtin()->find("std::mutex::lock", Role::Blocking)->Owner->Id,
            "std");
}

TEST(ModelSet, AUsersFileAddsToALibraryThatExists) {
  const Library *Before = builtin()->library("seastar");
  ASSERT_TRUE(Before);
  auto Set = loadedWith(R"json({"library": "seastar", "entries": {
    "sleep": [{"name": "mine::nap", "duration": 0}]}})json");
  const Library *L = Set->library("seastar");
  EXPECT_EQ(L->Entries.size(), Before->Entries.size() + 1);
  EXPECT_EQ(L->Title, Before->Title);
  EXPECT_EQ(L->RethrowClause, Before->RethrowClause);
  EXPECT_EQ(Set->find("mine::nap", Role::Sleep)->Owner, L);
  EXPECT_EQ(Set->find("seastar::sleep", Role::Sleep)->Owner, L);
}

TEST(ModelSet, AUsersFileMayChangeHowCancellationArrives) {
  auto Set = loadedWith(R"json({"library": "seastar", "title": "mine",
    "cancellation": {"delivery": "none"}})json");
  const Library *L = Set->library("seastar");
  EXPECT_EQ(L->Cancellation, Delivery::None);
  EXPECT_TRUE(Set->find("seastar::future", Role::Task));
}

TEST(ModelSet, AVariantIsALibraryOfItsOwn) {
  auto Set = loadedWith(R"json({"library": "mine", "title": "Mine",
    "cancellation": {"delivery": "code",
                     "rethrow-statement": "if ({0} == m::off) throw;"},
    "variants": [{"library": "big", "title": "Big", "namespaces": {"m": "b::m"}}],
    "replacements": {"sleep": "m::nap, not b::m::nap"},
    "replacement-code": {"std::this_thread::sleep_for": "co_await m::nap({0})"},
    "entries": {
  "token" : [ "m::token", "other::token" ],
  "code-exception" : [ "other::error" ],
            "queue"
      : [ {"name" : "m::q", "bounded" : true, "if-arg-type" : "m::token"} ]
}
})json");
  const Library *Mine = Set->library("mine"), *Big = Set->library("big");
  ASSERT_TRUE(Mine && Big);
  EXPECT_EQ(Big->Title, "Big");
  EXPECT_EQ(Big->Cancellation, Delivery::Code);
  EXPECT_EQ(Big->RethrowStatement, "if ({0} == b::m::off) throw;");
  EXPECT_EQ(Set->find("m::token", Role::Token)->Owner, Mine);
  EXPECT_EQ(Set->find("b::m::token", Role::Token)->Owner, Big);
  EXPECT_EQ(Set->find("b::m::q", Role::Queue)->IfArgType, "b::m::token");
  // What lies outside the namespace is the same for both.
  EXPECT_EQ(Set->lookup("other::token").size(), 1u);
  // But a library is asked what it throws, so it lists that itself.
  for (const Library *L : {Mine, Big})
    EXPECT_TRUE(llvm::any_of(L->Entries, [](const Entry &E) {
      return E.Kind == Role::CodeException && E.Name == "other::error";
    })) << L->Id;
  const Entry *Sleep = Set->find("std::this_thread::sleep_for", Role::Blocking);
  EXPECT_EQ(Sleep->Replacement.at("big"), "b::m::nap, not b::m::nap");
  EXPECT_EQ(Sleep->ReplacementCode.at("big"), "co_await b::m::nap({0})");
}

TEST(ModelSet, ReplacementsOfALibraryReachEveryEntry) {
  auto Set = loadedWith(R"json({"library": "mine",
    "replacements": {"sleep": "mine::nap", "db": "mine::query"},
    "replacement-code": {"std::this_thread::sleep_for": "mine::nap({0})"},
    "entries": {
  "blocking" : [ {
    "name" : "mine::doze",
    "category" : "sleep",
    "replacement" : {"mine" : "a walk"}
  } ]
}
})json");
  const Entry *Sleep = Set->find("std::this_thread::sleep_for", Role::Blocking);
  ASSERT_TRUE(Sleep);
  EXPECT_EQ(Sleep->Replacement.at("mine"), "mine::nap");
  EXPECT_EQ(Sleep->ReplacementCode.at("mine"), "mine::nap({0})");
  EXPECT_EQ(Sleep->ReplacementCode.count("boost-asio"), 1u);
  const Entry *Doze = Set->find("mine::doze", Role::Blocking);
  EXPECT_EQ(Doze->Replacement.at("mine"), "a walk");
  EXPECT_EQ(Doze->Replacement.at(""), Sleep->Replacement.at(""));
  EXPECT_EQ(Doze->ReplacementCode.count("mine"), 0u);
  EXPECT_EQ(
      Set->find("std::mutex::lock", Role::Blocking)->Replacement.count("mine"),
      0u);
}

//===----------------------------------------------------------------------===//
// The built-in models
//===----------------------------------------------------------------------===//

TEST(BuiltinModels, AllAreRight) {
  EXPECT_GT(builtinModels().size(), 30u);
  for (const BuiltinModel &M : builtinModels()) {
    llvm::Expected<Library> L = ModelSet::parse(M.Json, M.Name);
    ASSERT_TRUE(bool(L)) << llvm::toString(L.takeError());
    EXPECT_EQ(L->Id, M.Name) << "a file is named after its library";
    EXPECT_FALSE(L->Entries.empty()) << M.Name.str();
  }
}

TEST(BuiltinModels, NoNameHasARoleTwiceOnTheSameConditions) {
  for (const BuiltinModel &M : builtinModels()) {
    llvm::Expected<Library> L = ModelSet::parse(M.Json, M.Name);
    ASSERT_TRUE(bool(L));
    llvm::StringSet<> Seen;
    for (const Entry &E : L->Entries) {
      std::string Key = (roleName(E.Kind) + " " + E.Name + " " + E.IfArgType +
                         " " + E.UnlessArgType)
                            .str();
      for (const auto &Limit : {E.MinArgs, E.MaxArgs})
        Key += " " + (Limit ? std::to_string(*Limit) : "-");
      EXPECT_TRUE(Seen.insert(Key).second) << M.Name.str() << ": " << Key;
    }
  }
}

TEST(BuiltinModels, TheFourChecksFindWhatTheyNeed) {
  auto Set = builtin();
  for (llvm::StringRef Id : {"asio", "boost-asio", "folly-coro", "seastar",
                             "cppcoro", "boost-cobalt"}) {
    const Library *L = Set->library(Id);
    ASSERT_TRUE(L) << Id.str();
    EXPECT_NE(L->Cancellation, Delivery::None) << Id.str();
    EXPECT_TRUE(!L->RethrowClause.empty() || !L->RethrowStatement.empty());
    auto Has = [&](std::initializer_list<Role> Any) {
      for (const Entry &E : L->Entries)
        if (llvm::is_contained(Any, E.Kind))
          return true;
      return false;
    };
    EXPECT_TRUE(Has({Role::Task})) << Id.str();
    EXPECT_TRUE(Has({Role::ToValue})) << Id.str();
    EXPECT_TRUE(Has({Role::Sleep, Role::TimerWait})) << Id.str();
    EXPECT_TRUE(Has({Role::SyncWait, Role::Blocking})) << Id.str();
    EXPECT_TRUE(Has({Role::ExternalIo})) << Id.str();
    for (const char *Blocked : {"std::this_thread::sleep_for", "read",
                                "std::basic_ifstream::open", "getaddrinfo"})
      EXPECT_EQ(Set->find(Blocked, Role::Blocking)->Replacement.count(Id.str()),
                1u)
          << Blocked << " " << Id.str();
  }
}

TEST(BuiltinModels, Samples) {
  auto Set = builtin();
  const Entry *Timeout = Set->find("folly::coro::timeout", Role::Timeout);
  ASSERT_TRUE(Timeout);
  EXPECT_EQ(Timeout->Expiry, OnExpiry::CancelsAndWaits);
  EXPECT_THAT(Timeout->Duration, ElementsAre(1));
  EXPECT_EQ(Set->find("seastar::with_timeout", Role::Timeout)->Expiry,
            OnExpiry::Abandons);
  EXPECT_EQ(
      Set->find("boost::asio::cancel_after", Role::TimeoutToken)->Owner->Title,
      "Boost.Asio");
  EXPECT_TRUE(Set->library("boost-asio")->Sticky);
  EXPECT_EQ(Set->library("boost-asio")->RethrowStatement,
            "if ({0}.code() == boost::asio::error::operation_aborted) throw;");
  EXPECT_FALSE(Set->library("cppwinrt")->DerivesFromStdException);
  // Reading from a descriptor blocks; asking for a name's length in a cache
  // would not: short file system calls are in a category of their own.
  EXPECT_EQ(Set->find("std::basic_ifstream::basic_ifstream", Role::Blocking)
                ->Category,
            BlockingCategory::Fs);
  EXPECT_EQ(Set->find("std::filesystem::exists", Role::Blocking)->Category,
            BlockingCategory::FsMetadata);
  EXPECT_FALSE(Set->find("close", Role::Blocking));
  EXPECT_FALSE(Set->find("printf", Role::Blocking));
}

/// The texts of the ```json blocks of docs/models.md.
std::vector<std::string> documentedModels() {
  std::string Path = ASYNC_TIDY_SOURCE_DIR "/docs/models.md";
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  EXPECT_TRUE(bool(Buffer)) << Path;
  std::vector<std::string> Out;
  llvm::StringRef Rest = (*Buffer)->getBuffer();
  while (true) {
    auto [Before, After] = Rest.split("```json\n");
    if (After.empty())
      return Out;
    std::tie(Before, Rest) = After.split("```");
    Out.push_back(Before.str());
  }
}

TEST(DocumentedModels, AreRight) {
  std::vector<std::string> Models = documentedModels();
  ASSERT_EQ(Models.size(), 2u);
  for (const std::string &Model : Models)
    EXPECT_EQ(mistake(Model), "");
  Library Acme = parsed(Models[0]);
  EXPECT_EQ(Acme.Entries.size(), 10u);
}

TEST(DocumentedModels, NameEachRoleAndCategory) {
  std::string Path = ASYNC_TIDY_SOURCE_DIR "/docs/models.md";
  auto Page = llvm::MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Page));
  std::vector<llvm::StringRef> Names;
  for (int R = 0; R <= int(Role::Commit); ++R)
    Names.push_back(roleName(Role(R)));
  for (int C = 0; C <= int(BlockingCategory::Cpu); ++C)
    Names.push_back(categoryName(BlockingCategory(C)));
  for (llvm::StringRef Name : Names)
    EXPECT_TRUE((*Page)->getBuffer().contains(("`" + Name + "`").str()))
        << Name.str();
}

TEST(DocumentedModels, TheQuotedMistakeIsReportedLikeThat) {
  std::string Model = documentedModels().at(0);
  size_t At = Model.find("\"abandons\"");
  ASSERT_NE(At, std::string::npos);
  Model.replace(At, strlen("\"abandons\""), "\"abandon\"");
  llvm::Expected<Library> L = ModelSet::parse(Model, "tools/acme.json");
  ASSERT_FALSE(bool(L));
  std::string Path = ASYNC_TIDY_SOURCE_DIR "/docs/models.md";
  auto Page = llvm::MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Page));
  EXPECT_THAT((*Page)->getBuffer().str(),
              HasSubstr(llvm::toString(L.takeError())));
}

//===----------------------------------------------------------------------===//
// Spellings, and the schema that editors use
//===----------------------------------------------------------------------===//

TEST(Spellings, OfRolesAndCategoriesReadBack) {
  for (int R = 0; R <= int(Role::Commit); ++R)
    EXPECT_EQ(parseRole(roleName(Role(R))), Role(R));
  for (int C = 0; C <= int(BlockingCategory::Cpu); ++C)
    EXPECT_EQ(parseCategory(categoryName(BlockingCategory(C))),
              BlockingCategory(C));
  EXPECT_EQ(parseRole("cancel"), std::nullopt);
  EXPECT_EQ(parseCategory("disk"), std::nullopt);
  EXPECT_EQ(roleName(Role::ResumeOnPool), "resume-on-pool");
  EXPECT_EQ(categoryName(BlockingCategory::FsMetadata), "fs-metadata");
}

class SchemaTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Path = ASYNC_TIDY_SOURCE_DIR "/checks/models/schema.json";
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    ASSERT_TRUE(bool(Buffer)) << Path;
    auto Read = parseJson((*Buffer)->getBuffer(), Path);
    ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
    Schema = std::move(*Read);
  }
  const JsonNode &at(std::initializer_list<llvm::StringRef> Path) {
    const JsonNode *N = &Schema;
    for (llvm::StringRef Key : Path) {
      const JsonNode *Next = N->member(Key);
      EXPECT_TRUE(Next) << Key.str();
      if (!Next)
        return Schema;
      N = Next;
    }
    return *N;
  }
  static std::set<std::string> keys(const JsonNode &N) {
    std::set<std::string> Out;
    for (const JsonNode::Member &M : N.Members)
      Out.insert(M.Key);
    return Out;
  }
  /// The words after "allowed: " in a message.
  static std::set<std::string> allowed(llvm::StringRef Message) {
    llvm::SmallVector<llvm::StringRef, 32> Words;
    Message.split("allowed: ").second.split(Words, ", ");
    return {Words.begin(), Words.end()};
  }

  JsonNode Schema;
};

TEST_F(SchemaTest, KnowsTheLoadersRolesAndCategories) {
  EXPECT_EQ(keys(at({"properties", "entries", "properties"})),
            allowed("allowed: " + roleNames()));
  std::set<std::string> Categories;
  for (const JsonNode &N : at({"definitions", "category", "enum"}).Elements)
    Categories.insert(N.String);
  EXPECT_EQ(Categories, allowed("allowed: " + categoryNames()));
  EXPECT_EQ(keys(at({"properties", "replacements", "properties"})), Categories);
}

TEST_F(SchemaTest, KnowsTheLoadersFieldsOfAFile) {
  std::set<std::string> Fields = allowed(mistake(R"json({"?": 1})json"));
  Fields.insert("$schema");
  EXPECT_EQ(keys(at({"properties"})), Fields);
}

TEST_F(SchemaTest, KnowsTheLoadersFieldsOfEachRole) {
  for (int R = 0; R <= int(Role::Commit); ++R) {
    llvm::StringRef Name = roleName(Role(R));
    const JsonNode *Items =
        at({"properties", "entries", "properties", Name}).member("items");
    ASSERT_TRUE(Items) << Name.str();
    if (const JsonNode *Ref = Items->member("$ref"))
      Items =
          &at({"definitions", llvm::StringRef(Ref->String).rsplit('/').second});
    if (const JsonNode *OneOf = Items->member("oneOf"))
      Items = &OneOf->Elements.back();
    EXPECT_EQ(keys(*Items->member("properties")),
              allowed(entryMistake(Name, R"json({"?": 1})json")))
        << Name.str();
  }
}

} // namespace
