//===--- Model.cpp - What a coroutine library's names mean ----------------===//

#include "Model.h"
#include "BuiltinModels.h"
#include "Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <mutex>

using namespace llvm;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// Spellings
//===----------------------------------------------------------------------===//

// In the order of Role.
static constexpr StringRef RoleNames[] = {
    "task",
    "cancellation-type",
    "timeout-type",
    "code-exception",
    "error-code",
    "error-holder",
    "token",
    "source",
    "registration",
    "deadline",
    "guard",
    "lock",
    "lock-guard",
    "unlock-guard",
    "async-lock",
    "queue",
    "loop-affine",
    "scope",
    "pool",
    "cancellation-code",
    "cancellation-test",
    "cancellation-check",
    "cancellation-classifier",
    "cancellation-request",
    "current-token",
    "cancellation-raise",
    "cancellation-level",
    "cancellation-filter",
    "error-test",
    "error-access",
    "rethrow",
    "hand-over",
    "logging",
    "timeout",
    "timeout-token",
    "race",
    "gather",
    "sleep",
    "timer-setup",
    "timer-wait",
    "shield",
    "shield-filter",
    "to-value",
    "continuation",
    "acquire",
    "release",
    "try-lock",
    "disown",
    "external-io",
    "immediate",
    "immune",
    "best-effort",
    "blocking",
    "sync-wait",
    "nonblocking",
    "nonblocking-flag",
    "ready-test",
    "offload",
    "inline-call",
    "resume-on-pool",
    "resume-on-loop",
    "post",
    "spawn",
    "detached-token",
    "retry",
    "clock-now",
    "test-macro",
    "budgeted",
    "commit",
};
static_assert(std::size(RoleNames) == size_t(Role::Commit) + 1);

// In the order of BlockingCategory.
static constexpr StringRef CategoryNames[] = {
    "sleep", "sync", "mutex", "future",      "process", "net",
    "dns",   "db",   "fs",    "fs-metadata", "stdio",   "cpu",
};
static_assert(std::size(CategoryNames) == size_t(BlockingCategory::Cpu) + 1);

template <class T, size_t N>
static std::optional<T> parseSpelling(const StringRef (&Names)[N],
                                      StringRef Name) {
  const StringRef *At = find(Names, Name);
  if (At == std::end(Names))
    return std::nullopt;
  return T(At - Names);
}

StringRef roleName(Role R) { return RoleNames[size_t(R)]; }
std::optional<Role> parseRole(StringRef Name) {
  return parseSpelling<Role>(RoleNames, Name);
}
std::string roleNames() { return join(ArrayRef(RoleNames), ", "); }

StringRef categoryName(BlockingCategory C) { return CategoryNames[size_t(C)]; }
std::optional<BlockingCategory> parseCategory(StringRef Name) {
  return parseSpelling<BlockingCategory>(CategoryNames, Name);
}
std::string categoryNames() { return join(ArrayRef(CategoryNames), ", "); }

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// \p Text with each namespace of \p Namespaces replaced where it begins a
/// qualified name: `asio::post`, but not the tail of `boost::asio::post`.
static std::string renamed(StringRef Text,
                           const std::map<std::string, std::string> &Map) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    bool Begins = At == 0 || !(isAlnum(Text[At - 1]) || Text[At - 1] == '_' ||
                               Text[At - 1] == ':');
    auto Hit = !Begins ? Map.end() : find_if(Map, [&](const auto &Pair) {
      return Text.substr(At).starts_with(Pair.first + "::");
    });
    if (Hit == Map.end()) {
      Out += Text[At++];
      continue;
    }
    Out += Hit->second;
    At += Hit->first.size();
  }
  return Out;
}

static Library makeVariant(const Library &From, const Library::Variant &V) {
  Library To = From;
  To.Id = V.Id;
  To.Title = V.Title;
  To.Variants.clear();
  To.Entries.clear();
  To.RethrowClause =
      V.RethrowClause.value_or(renamed(From.RethrowClause, V.Namespaces));
  To.RethrowStatement =
      V.RethrowStatement.value_or(renamed(From.RethrowStatement, V.Namespaces));
  To.ShieldStatement = renamed(From.ShieldStatement, V.Namespaces);
  To.ShieldExpression = renamed(From.ShieldExpression, V.Namespaces);
  for (auto &[Category, Text] : To.Replacements)
    Text = renamed(Text, V.Namespaces);
  for (auto &[Name, Text] : To.ReplacementCodes)
    Text = renamed(Text, V.Namespaces);
  for (Entry E : From.Entries) {
    std::string Name = renamed(E.Name, V.Namespaces);
    // The same entity for both, e.g. std::error_code. What is thrown is asked
    // of the library, so that each must say it.
    if (Name == E.Name && E.Kind != Role::CodeException)
      continue;
    E.Name = std::move(Name);
    for (std::string *Text :
         {&E.IfArgType, &E.UnlessArgType, &E.Note, &E.Abortable})
      *Text = renamed(*Text, V.Namespaces);
    for (auto *Texts : {&E.Replacement, &E.ReplacementCode})
      for (auto &[Id, Text] : *Texts)
        Text = renamed(Text, V.Namespaces);
    To.Entries.push_back(std::move(E));
  }
  return To;
}

//===----------------------------------------------------------------------===//
// ModelSet
//===----------------------------------------------------------------------===//

static constexpr StringRef GenericId = "generic";

struct ModelSet::Impl {
  std::vector<std::unique_ptr<Library>> Libraries;
  // Positions are in file order; an index list keeps that order.
  StringMap<SmallVector<const Entry *, 1>> Exact;
  /// `*::name`, by `name`: most conventions are of this form.
  StringMap<SmallVector<const Entry *, 1>> LastComponent;
  std::vector<const Entry *> Wild; ///< the other wildcards

  void add(Library L, bool ByUser);
  void spreadReplacements();
  void index();
  Library *find(StringRef Id) {
    for (auto &L : Libraries)
      if (L->Id == Id)
        return L.get();
    return nullptr;
  }
};

void ModelSet::Impl::add(Library L, bool ByUser) {
  std::vector<Library> All;
  for (const Library::Variant &V : L.Variants)
    All.push_back(makeVariant(L, V));
  All.insert(All.begin(), std::move(L));

  if (ByUser) {
    StringSet<> Given;
    auto Key = [](const Entry &E) {
      return (roleName(E.Kind) + " " + E.Name).str();
    };
    for (const Library &New : All)
      for (const Entry &E : New.Entries)
        Given.insert(Key(E));
    for (auto &Old : Libraries)
      erase_if(Old->Entries,
               [&](const Entry &E) { return Given.contains(Key(E)); });
  }
  for (Library &New : All) {
    Library *Old = find(New.Id);
    if (!Old) {
      Libraries.push_back(std::make_unique<Library>(std::move(New)));
      continue;
    }
    append_range(Old->Entries, New.Entries);
    append_range(Old->Variants, New.Variants);
    for (auto &[Category, Text] : New.Replacements)
      Old->Replacements[Category] = Text;
    for (auto &[Name, Text] : New.ReplacementCodes)
      Old->ReplacementCodes[Name] = Text;
    if (!New.SaysCancellation)
      continue;
    New.Replacements = std::move(Old->Replacements);
    New.ReplacementCodes = std::move(Old->ReplacementCodes);
    New.Entries = std::move(Old->Entries);
    New.Variants = std::move(Old->Variants);
    *Old = std::move(New);
  }
}

/// Fills in what the entries leave to the libraries, so that a check finds all
/// of it in the entry.
void ModelSet::Impl::spreadReplacements() {
  // What replaces a call in one namespace of a library does so, renamed, in its
  // others.
  for (const auto &From : Libraries)
    for (const Library::Variant &V : From->Variants)
      for (auto &L : Libraries)
        for (Entry &E : L->Entries)
          for (auto *Texts : {&E.Replacement, &E.ReplacementCode})
            if (auto Text = Texts->find(From->Id); Text != Texts->end())
              Texts->try_emplace(V.Id, renamed(Text->second, V.Namespaces));
  for (auto &L : Libraries)
    for (Entry &E : L->Entries) {
      if (!E.Category)
        continue;
      for (const auto &User : Libraries) {
        if (auto Text = User->Replacements.find(*E.Category);
            Text != User->Replacements.end())
          E.Replacement.try_emplace(User->Id == GenericId ? "" : User->Id,
                                    Text->second);
        if (auto Text = User->ReplacementCodes.find(E.Name);
            Text != User->ReplacementCodes.end())
          E.ReplacementCode.try_emplace(User->Id, Text->second);
      }
    }
}

void ModelSet::Impl::index() {
  // Conventions come last, so that they do not hide what a library says.
  for (bool Generic : {false, true})
    for (auto &L : Libraries) {
      if ((L->Id == GenericId) != Generic)
        continue;
      for (Entry &E : L->Entries) {
        E.Owner = L.get();
        StringRef Name = E.Name;
        // `operator*` and the like are names, not wildcards.
        bool Wild = Name.starts_with("*") ||
                    (Name.ends_with("*") && !Name.contains("operator"));
        StringRef Last = Name;
        if (!Wild)
          Exact[Name].push_back(&E);
        else if (Last.consume_front("*::") && !Last.contains("::") &&
                 !Last.ends_with("*"))
          LastComponent[Last].push_back(&E);
        else
          this->Wild.push_back(&E);
      }
    }
}

static bool matchesWildcard(StringRef Pattern, StringRef Name) {
  bool Front = Pattern.consume_front("*");
  bool Back = Pattern.consume_back("*");
  // `*::f*` means the last component, in the global namespace as well.
  if (Front && Pattern.consume_front("::")) {
    for (size_t At = 0;;) {
      StringRef Tail = Name.substr(At);
      if (Back ? Tail.starts_with(Pattern) : Tail == Pattern)
        return true;
      At = Name.find("::", At);
      if (At == StringRef::npos)
        return false;
      At += 2;
    }
  }
  if (Front && Back)
    return Name.contains(Pattern);
  return Front ? Name.ends_with(Pattern) : Name.starts_with(Pattern);
}

SmallVector<const Entry *, 2> ModelSet::lookup(StringRef Name) const {
  SmallVector<const Entry *, 2> Found, Conventions;
  auto Add = [&](const Entry *E) {
    (E->Owner->Id == GenericId ? Conventions : Found).push_back(E);
  };
  if (auto At = P->Exact.find(Name); At != P->Exact.end())
    for_each(At->second, Add);
  size_t Colon = Name.rfind("::");
  StringRef Last = Colon == StringRef::npos ? Name : Name.substr(Colon + 2);
  if (auto At = P->LastComponent.find(Last); At != P->LastComponent.end())
    for_each(At->second, Add);
  for (const Entry *E : P->Wild)
    if (matchesWildcard(E->Name, Name))
      Add(E);
  Found.append(Conventions.begin(), Conventions.end());
  return Found;
}

const Entry *ModelSet::find(StringRef Name, Role R) const {
  for (const Entry *E : lookup(Name))
    if (E->Kind == R)
      return E;
  return nullptr;
}

ArrayRef<std::unique_ptr<Library>> ModelSet::libraries() const {
  return P->Libraries;
}

const Library *ModelSet::library(StringRef Id) const { return P->find(Id); }

std::vector<const Entry *> ModelSet::all(Role R) const {
  std::vector<const Entry *> Found;
  for (const auto &L : P->Libraries)
    for (const Entry &E : L->Entries)
      if (E.Kind == R)
        Found.push_back(&E);
  return Found;
}

std::string ModelSet::locate(StringRef File, StringRef Source) {
  if (!sys::path::is_absolute(File))
    for (StringRef Dir = sys::path::parent_path(Source); !Dir.empty();
         Dir = sys::path::parent_path(Dir)) {
      SmallString<256> Candidate(Dir);
      sys::path::append(Candidate, File);
      if (sys::fs::exists(Candidate))
        return Candidate.str().str();
    }
  return File.str();
}

ModelSet::ModelSet() : P(std::make_unique<Impl>()) {}
ModelSet::~ModelSet() = default;

Expected<std::shared_ptr<const ModelSet>>
ModelSet::load(ArrayRef<std::string> UserFiles, StringRef Inline) {
  // The built-in models never change, so a process with many translation units
  // reads them once. A user's file may have been edited in the meantime.
  static std::mutex Mutex;
  static std::shared_ptr<const ModelSet> Builtin;
  std::unique_lock<std::mutex> Lock(Mutex, std::defer_lock);
  if (UserFiles.empty() && Inline.empty()) {
    Lock.lock();
    if (Builtin)
      return Builtin;
  }
  std::shared_ptr<ModelSet> Set(new ModelSet());
  for (const BuiltinModel &M : builtinModels()) {
    Expected<Library> L = parse(M.Json, (M.Name + ".json").str());
    if (!L)
      return L.takeError();
    Set->P->add(std::move(*L), /*ByUser=*/false);
  }
  for (const std::string &File : UserFiles) {
    auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
    if (!Buffer)
      return modelError(File, 1, "",
                        "cannot read: " + Buffer.getError().message());
    Expected<Library> L = parse((*Buffer)->getBuffer(), File);
    if (!L)
      return L.takeError();
    Set->P->add(std::move(*L), /*ByUser=*/true);
  }
  if (!Inline.empty()) {
    Expected<Library> L = parse(Inline, "check options");
    if (!L)
      return L.takeError();
    Set->P->add(std::move(*L), /*ByUser=*/true);
  }
  Set->P->spreadReplacements();
  Set->P->index();
  std::shared_ptr<const ModelSet> Done = std::move(Set);
  if (Lock)
    Builtin = Done;
  return Done;
}

} // namespace async_tidy
