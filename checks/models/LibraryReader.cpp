//===--- LibraryReader.cpp - What a model file says outside its entries ---===//

#include "ModelReader.h"

using namespace llvm;

namespace async_tidy {

bool ModelReader::cancellation(const JsonNode &N, Library &L) {
  if (!expect(N, Kind::Object, "cancellation", "an object"))
    return false;
  L.SaysCancellation = true;
  for (const JsonNode::Member &M : N.Members) {
    std::string Field = "cancellation." + M.Key;
    bool Good = true;
    if (M.Key == "delivery")
      Good = choose<Delivery>(M.Value, Field, L.Cancellation,
                              {{"none", Delivery::None},
                               {"exception", Delivery::Exception},
                               {"code", Delivery::Code},
                               {"value", Delivery::Value},
                               {"done-signal", Delivery::DoneSignal},
                               {"destruction", Delivery::Destruction}});
    else if (M.Key == "propagation")
      Good = choose<bool>(M.Value, Field, L.ImplicitPropagation,
                          {{"implicit", true}, {"token", false}});
    else if (M.Key == "sticky")
      Good = boolean(M.Value, Field, L.Sticky);
    else if (M.Key == "derives-from-std-exception")
      Good = boolean(M.Value, Field, L.DerivesFromStdException);
    else if (M.Key == "rethrow-clause")
      Good = string(M.Value, Field, L.RethrowClause);
    else if (M.Key == "rethrow-statement")
      Good = string(M.Value, Field, L.RethrowStatement);
    else if (M.Key == "shield-statement")
      Good = string(M.Value, Field, L.ShieldStatement);
    else if (M.Key == "shield-expression")
      Good = string(M.Value, Field, L.ShieldExpression);
    else
      Good = failLine(M.Line, Field,
                      "unknown field; allowed: delivery, propagation, sticky, "
                      "derives-from-std-exception, rethrow-clause, "
                      "rethrow-statement, shield-statement, "
                      "shield-expression");
    if (!Good)
      return false;
  }
  return N.member("delivery") || fail(N, "cancellation", "needs 'delivery'");
}

bool ModelReader::replacements(const JsonNode &N, Library &L) {
  if (!expect(N, Kind::Object, "replacements", "an object of category to text"))
    return false;
  for (const JsonNode::Member &M : N.Members) {
    std::string Field = "replacements." + M.Key;
    std::optional<BlockingCategory> C = parseCategory(M.Key);
    if (!C)
      return failLine(M.Line, Field,
                      "unknown category; allowed: " + Twine(categoryNames()));
    if (!string(M.Value, Field, L.Replacements[*C]))
      return false;
  }
  return true;
}

bool ModelReader::replacementCodes(const JsonNode &N, Library &L) {
  if (!expect(N, Kind::Object, "replacement-code", "an object of name to text"))
    return false;
  for (const JsonNode::Member &M : N.Members)
    if (!string(M.Value, "replacement-code." + M.Key,
                L.ReplacementCodes[M.Key]))
      return false;
  return true;
}

bool ModelReader::variants(const JsonNode &N, Library &L) {
  if (!expect(N, Kind::Array, "variants", "a list of objects"))
    return false;
  for (size_t I = 0; I < N.Elements.size(); ++I) {
    const JsonNode &V = N.Elements[I];
    std::string Field = ("variants[" + Twine(I) + "]").str();
    if (!expect(V, Kind::Object, Field, "an object"))
      return false;
    Library::Variant Out;
    for (const JsonNode::Member &M : V.Members) {
      std::string Inner = Field + "." + M.Key;
      bool Good = true;
      if (M.Key == "library")
        Good = string(M.Value, Inner, Out.Id);
      else if (M.Key == "title")
        Good = string(M.Value, Inner, Out.Title);
      else if (M.Key == "namespaces")
        Good = texts(M.Value, Inner, /*AllowPlain=*/false, Out.Namespaces);
      else if (M.Key == "rethrow-clause")
        Good = string(M.Value, Inner, Out.RethrowClause.emplace());
      else if (M.Key == "rethrow-statement")
        Good = string(M.Value, Inner, Out.RethrowStatement.emplace());
      else
        Good = failLine(M.Line, Inner,
                        "unknown field; allowed: library, title, namespaces, "
                        "rethrow-clause, rethrow-statement");
      if (!Good)
        return false;
    }
    if (Out.Id.empty() || Out.Namespaces.empty())
      return fail(V, Field, "needs 'library' and 'namespaces'");
    if (Out.Title.empty())
      Out.Title = Out.Id;
    L.Variants.push_back(std::move(Out));
  }
  return true;
}

bool ModelReader::aliases(const JsonNode &N) {
  if (!expect(N, Kind::Object, "namespace-aliases", "an object"))
    return false;
  for (const JsonNode::Member &M : N.Members) {
    std::string Field = "namespace-aliases." + M.Key;
    if (!expect(M.Value, Kind::Array, Field, "a list of namespaces"))
      return false;
    for (const JsonNode &To : M.Value.Elements) {
      std::string Name;
      if (!name(To, Field, Name))
        return false;
      Aliases.emplace_back(M.Key, std::move(Name));
    }
  }
  return true;
}

bool ModelReader::library(const JsonNode &Root, Library &L) {
  if (!expect(Root, Kind::Object, "",
              "a model: an object with 'library' and "
              "'entries'"))
    return false;
  // Aliases come first: they apply to all entries, wherever they stand.
  if (const JsonNode *N = Root.member("namespace-aliases"))
    if (!aliases(*N))
      return false;
  for (const JsonNode::Member &M : Root.Members) {
    bool Good = true;
    if (M.Key == "library")
      Good = string(M.Value, M.Key, L.Id);
    else if (M.Key == "title")
      Good = string(M.Value, M.Key, L.Title);
    else if (M.Key == "cancellation")
      Good = cancellation(M.Value, L);
    else if (M.Key == "replacements")
      Good = replacements(M.Value, L);
    else if (M.Key == "replacement-code")
      Good = replacementCodes(M.Value, L);
    else if (M.Key == "variants")
      Good = variants(M.Value, L);
    else if (M.Key == "requires")
      Good = names(M.Value, M.Key, L.Requires);
    else if (M.Key == "c-linkage")
      Good = boolean(M.Value, M.Key, L.CLinkage);
    else if (M.Key == "entries") {
      Good = expect(M.Value, Kind::Object, M.Key,
                    "an object of role to list of entries");
      for (const JsonNode::Member &G : M.Value.Members) {
        if (!Good)
          break;
        std::string Field = "entries." + G.Key;
        std::optional<Role> R = parseRole(G.Key);
        Good = R ? group(*R, G.Value, Field, L)
                 : failLine(G.Line, Field,
                            "unknown role; allowed: " + Twine(roleNames()));
      }
    } else if (M.Key != "$schema" && M.Key != "namespace-aliases")
      Good = failLine(M.Line, M.Key,
                      "unknown field; allowed: library, title, cancellation, "
                      "replacements, replacement-code, variants, "
                      "namespace-aliases, requires, c-linkage, entries");
    if (!Good)
      return false;
  }
  if (L.Id.empty())
    return fail(Root, "library", "missing: the id of the library");
  if (L.Title.empty())
    L.Title = L.Id;
  return true;
}

Expected<Library> ModelReader::read(const JsonNode &Root) {
  Library L;
  L.File = File.str();
  if (!library(Root, L))
    return std::move(Failure);
  cantFail(std::move(Failure));
  return std::move(L);
}

Expected<Library> ModelSet::parse(StringRef Json, StringRef File) {
  Expected<JsonNode> Root = parseJson(Json, File);
  if (!Root)
    return Root.takeError();
  return ModelReader(File).read(*Root);
}

} // namespace async_tidy
