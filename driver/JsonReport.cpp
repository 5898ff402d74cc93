#include "driver/Reports.h"
#include "llvm/Config/llvm-config.h"
#include <nlohmann/json.hpp>

using nlohmann::ordered_json;

namespace async_tidy {
namespace {

ordered_json place(const std::string &File, unsigned Line, unsigned Column) {
  ordered_json J;
  J["file"] = File;
  J["line"] = Line;
  J["column"] = Column;
  return J;
}

ordered_json timeline(const Timeline &T) {
  ordered_json Segments = ordered_json::array();
  for (const TimeSegment &S : T.Segments)
    Segments.push_back({{"kind", kindName(S.What)},
                        {"name", S.Name},
                        {"nanoseconds", int64_t(S.Nanoseconds)},
                        {"file", S.File},
                        {"line", S.Line}});
  ordered_json J;
  J["totalNanoseconds"] = int64_t(T.total());
  J["budgetNanoseconds"] =
      T.Budget ? ordered_json(int64_t(*T.Budget)) : ordered_json();
  J["segments"] = std::move(Segments);
  return J;
}

ordered_json finding(const Finding &F) {
  ordered_json J;
  J["check"] = F.Check;
  J["severity"] = F.IsError ? "error" : "warning";
  J["message"] = F.At.Message;
  J.update(place(F.At.File, F.At.Line, F.At.Column));
  J["notes"] = ordered_json::array();
  for (const Remark &Note : F.Notes) {
    ordered_json One;
    One["message"] = Note.Message;
    One.update(place(Note.File, Note.Line, Note.Column));
    J["notes"].push_back(std::move(One));
  }
  J["fixes"] = ordered_json::array();
  for (const Edit &E : F.Fix) {
    ordered_json One = place(E.File, E.Line, E.Column);
    One["length"] = E.Length;
    One["text"] = E.Text;
    J["fixes"].push_back(std::move(One));
  }
  if (F.Sum)
    J["timeline"] = timeline(*F.Sum);
  return J;
}

} // namespace

void writeJson(const LintResult &Result, llvm::raw_ostream &OS) {
  ordered_json J;
  J["version"] = 1;
  J["tool"] = {{"name", "async-tidy"},
               {"version", ASYNC_TIDY_VERSION},
               {"llvm", LLVM_VERSION_STRING}};
  J["findings"] = ordered_json::array();
  for (const Finding &F : Result.Findings)
    J["findings"].push_back(finding(F));
  J["notAnalysed"] = ordered_json::array();
  for (const NotAnalysed &Broken : Result.Broken)
    J["notAnalysed"].push_back(
        {{"file", Broken.File}, {"error", Broken.FirstError}});
  // Text of the linted code need not be UTF-8.
  OS << J.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

} // namespace async_tidy
