//===--- Json.h - JSON that knows its line numbers --------------*- C++ -*-===//
//
// Reads JSON text into a tree in which every value and every key remembers the
// line it stands on, so that a mistake in a model file can be pointed at. The
// text is read with nlohmann_json's SAX parser; syntax errors and duplicate
// keys are errors here, meaning is the reader's business.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_MODELS_JSON_H
#define ASYNC_TIDY_MODELS_JSON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace async_tidy {

/// One JSON value.
struct JsonNode {
  enum class Kind { Null, Bool, Integer, Float, String, Array, Object };
  struct Member;

  Kind K = Kind::Null;
  unsigned Line = 0; ///< of its first token, from 1
  bool Bool = false;
  int64_t Integer = 0;
  double Float = 0; ///< set for integers, too
  std::string String;
  std::vector<JsonNode> Elements;
  std::vector<Member> Members; ///< in file order

  bool isNumber() const { return K == Kind::Integer || K == Kind::Float; }
  /// The member called \p Key of an object, else null.
  const JsonNode *member(llvm::StringRef Key) const;
  /// "a string", "an object", …: for messages.
  llvm::StringRef kindName() const;
};

struct JsonNode::Member {
  std::string Key;
  unsigned Line; ///< of the key
  JsonNode Value;
};

/// Parses \p Text; \p File is used in messages only.
llvm::Expected<JsonNode> parseJson(llvm::StringRef Text, llvm::StringRef File);

/// The one form of every model error: "FILE:LINE: FIELD: MESSAGE". An empty
/// \p Field leaves its part out.
llvm::Error modelError(llvm::StringRef File, unsigned Line,
                       llvm::StringRef Field, const llvm::Twine &Message);

} // namespace async_tidy

#endif // ASYNC_TIDY_MODELS_JSON_H
