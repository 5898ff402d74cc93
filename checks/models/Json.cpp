//===--- Json.cpp - JSON that knows its line numbers ----------------------===//

#include "Json.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace llvm;

namespace async_tidy {

const JsonNode *JsonNode::member(StringRef Key) const {
  for (const Member &M : Members)
    if (M.Key == Key)
      return &M.Value;
  return nullptr;
}

StringRef JsonNode::kindName() const {
  switch (K) {
  case Kind::Null:
    return "null";
  case Kind::Bool:
    return "a boolean";
  case Kind::Integer:
  case Kind::Float:
    return "a number";
  case Kind::String:
    return "a string";
  case Kind::Array:
    return "an array";
  case Kind::Object:
    return "an object";
  }
  return "a value";
}

Error modelError(StringRef File, unsigned Line, StringRef Field,
                 const Twine &Message) {
  std::string Where = (File + ":" + Twine(Line) + ": ").str();
  if (!Field.empty())
    Where += (Field + ": ").str();
  return createStringError(inconvertibleErrorCode(), Where + Message.str());
}

namespace {

/// Hands the parser one character at a time and remembers how far it got.
class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountingIterator(const char *At, const char **Reached)
      : At(At), Reached(Reached) {}
  reference operator*() const { return *At; }
  CountingIterator &operator++() {
    ++At;
    if (Reached)
      *Reached = At;
    return *this;
  }
  bool operator==(const CountingIterator &O) const { return At == O.At; }
  bool operator!=(const CountingIterator &O) const { return At != O.At; }

private:
  const char *At;
  const char **Reached;
};

class TreeBuilder {
public:
  TreeBuilder(StringRef Text, StringRef File, const char *&Reached)
      : Text(Text), File(File), Reached(Reached) {}

  bool null() { return add(JsonNode::Kind::Null); }
  bool boolean(bool B) {
    bool Added = add(JsonNode::Kind::Bool);
    Last->Bool = B;
    return Added;
  }
  bool number_integer(int64_t I) { return number(I, double(I), true); }
  bool number_unsigned(uint64_t U) {
    bool Fits = U <= uint64_t(std::numeric_limits<int64_t>::max());
    return number(Fits ? int64_t(U) : 0, double(U), Fits);
  }
  bool number_float(double F, const std::string &) {
    return number(0, F, false);
  }
  bool string(std::string &S) {
    bool Added = add(JsonNode::Kind::String);
    Last->String = std::move(S);
    return Added;
  }
  template <class B> bool binary(B &) { return false; }
  bool start_object(size_t) { return open(JsonNode::Kind::Object); }
  bool start_array(size_t) { return open(JsonNode::Kind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string &K) {
    unsigned Line = line(1);
    JsonNode &Object = *Open.back();
    if (Object.member(K))
      return fail(Line, K, "the key is given twice");
    Object.Members.push_back({std::move(K), Line, JsonNode()});
    return true;
  }
  template <class E>
  bool parse_error(size_t, const std::string &, const E &Why) {
    // "[json.exception.…] parse error at line 3, column 5: syntax error …"
    StringRef What(Why.what());
    size_t Column = What.find(", column ");
    if (Column != StringRef::npos)
      What = What.drop_front(What.find(": ", Column) + 2);
    return fail(line(1), "", What);
  }

  Error takeError() { return std::move(Failure); }
  JsonNode Root;

private:
  /// The line of the token that was just read. \p Ahead is how many characters
  /// the parser has consumed since that token's last: a number is only known
  /// to be over once the next character was seen.
  unsigned line(unsigned Ahead) {
    size_t Offset = Reached - Text.begin();
    Offset -= std::min<size_t>(Offset, Ahead);
    if (Offset < Counted) {
      Counted = 0;
      Line = 1;
    }
    Line += unsigned(Text.slice(Counted, Offset).count('\n'));
    Counted = Offset;
    return Line;
  }

  bool add(JsonNode::Kind K, unsigned Ahead = 1) {
    if (Open.empty()) {
      Last = &Root;
    } else if (Open.back()->K == JsonNode::Kind::Object) {
      Last = &Open.back()->Members.back().Value;
    } else {
      Open.back()->Elements.emplace_back();
      Last = &Open.back()->Elements.back();
    }
    Last->K = K;
    Last->Line = line(Ahead);
    return true;
  }
  bool number(int64_t I, double F, bool IsInteger) {
    add(IsInteger ? JsonNode::Kind::Integer : JsonNode::Kind::Float, 2);
    Last->Integer = I;
    Last->Float = F;
    return true;
  }
  bool open(JsonNode::Kind K) {
    add(K);
    // The containers above a node do not grow while it is open, so the pointer
    // stays good until close().
    Open.push_back(Last);
    return true;
  }
  bool close() {
    Open.pop_back();
    return true;
  }
  bool fail(unsigned AtLine, StringRef Field, const Twine &Why) {
    consumeError(std::move(Failure));
    Failure = modelError(File, AtLine, Field, Why);
    return false;
  }

  StringRef Text;
  StringRef File;
  const char *&Reached;
  size_t Counted = 0;
  unsigned Line = 1;
  std::vector<JsonNode *> Open;
  JsonNode *Last = nullptr;
  Error Failure = Error::success();
};

} // namespace

Expected<JsonNode> parseJson(StringRef Text, StringRef File) {
  const char *Reached = Text.begin();
  TreeBuilder Builder(Text, File, Reached);
  nlohmann::json::sax_parse(CountingIterator(Text.begin(), &Reached),
                            CountingIterator(Text.end(), nullptr), &Builder);
  if (Error E = Builder.takeError())
    return std::move(E);
  return std::move(Builder.Root);
}

} // namespace async_tidy
