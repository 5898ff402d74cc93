//===--- ModelReader.h - From a model file to a Library ---------*- C++ -*-===//
//-*-===//
//
// Turns a JSON tree into a Library and points at what is wrong with it. Strict:
// an unknown field, role or value, a wrong type and a missing field are errors
// that name file, line and field. Reading stops at the first mistake: models
// are small, and one mistake often causes the next.
//
// Private to models; everyone else calls ModelSet::parse().
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_MODELS_MODELREADER_H
#define ASYNC_TIDY_MODELS_MODELREADER_H

#include "Json.h"
#include "Model.h"
#include "llvm/ADT/Twine.h"

namespace async_tidy {

class ModelReader {
public:
  /// \p File is used in messages only and must outlive the reader.
  explicit ModelReader(llvm::StringRef File) : File(File) {}
  llvm::Expected<Library> read(const JsonNode &Root);

private:
  using Kind = JsonNode::Kind;
  using Twine = llvm::Twine;
  using StringRef = llvm::StringRef;

  // All that return bool return false after a mistake, which is in Failure
  // then.
  bool fail(const JsonNode &At, const Twine &Field, const Twine &Message) {
    return failLine(At.Line, Field, Message);
  }
  bool failLine(unsigned Line, const Twine &Field, const Twine &Message) {
    llvm::consumeError(std::move(Failure));
    Failure = modelError(File, Line, Field.str(), Message);
    return false;
  }
  bool expect(const JsonNode &N, Kind K, const Twine &Field, StringRef Wanted) {
    return N.K == K ||
           fail(N, Field, "expected " + Wanted + ", found " + N.kindName());
  }
  template <class T>
  bool choose(const JsonNode &N, const Twine &Field, T &Out,
              llvm::ArrayRef<std::pair<StringRef, T>> Choices);

  // Values.
  bool string(const JsonNode &N, const Twine &Field, std::string &Out);
  bool boolean(const JsonNode &N, const Twine &Field, bool &Out);
  bool texts(const JsonNode &N, const Twine &Field, bool AllowPlain,
             std::map<std::string, std::string> &Out);
  bool position(const JsonNode &N, const Twine &Field, ArgPosition &Out);
  bool level(const JsonNode &N, const llvm::Twine &Field,
             std::optional<unsigned> &Out);
  bool count(const JsonNode &N, const Twine &Field,
             std::optional<unsigned> &Out);
  bool unit(const JsonNode &N, const Twine &Field, double &Out);
  bool name(const JsonNode &N, const Twine &Field, std::string &Out);
  bool names(const JsonNode &N, const Twine &Field,
             std::vector<std::string> &Out);

  // The file (LibraryReader.cpp).
  bool library(const JsonNode &Root, Library &L);
  bool cancellation(const JsonNode &N, Library &L);
  bool replacements(const JsonNode &N, Library &L);
  bool replacementCodes(const JsonNode &N, Library &L);
  bool variants(const JsonNode &N, Library &L);
  bool aliases(const JsonNode &N);

  // Its entries (ModelReader.cpp).
  bool group(Role R, const JsonNode &N, const Twine &Field, Library &L);
  bool entry(Role R, const JsonNode &N, const Twine &Field, Library &L);
  bool field(const JsonNode::Member &M, const Twine &Field, Entry &E);
  bool required(Role R, const JsonNode &N, const Twine &Field, const Entry &E);
  void add(Entry E, Library &L);

  StringRef File;
  llvm::Error Failure = llvm::Error::success();
  std::vector<std::pair<std::string, std::string>> Aliases;
};

template <class T>
bool ModelReader::choose(const JsonNode &N, const Twine &Field, T &Out,
                         llvm::ArrayRef<std::pair<StringRef, T>> Choices) {
  std::string Allowed;
  for (const auto &[Spelling, Value] : Choices) {
    if (N.K == Kind::String && N.String == Spelling) {
      Out = Value;
      return true;
    }
    Allowed += (Allowed.empty() ? "'" : ", '") + Spelling.str() + "'";
  }
  std::string Found =
      N.K == Kind::String ? "'" + N.String + "'" : N.kindName().str();
  return fail(N, Field,
              "expected one of " + Twine(Allowed) + "; found " + Found);
}

} // namespace async_tidy

#endif // ASYNC_TIDY_MODELS_MODELREADER_H
