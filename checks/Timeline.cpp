//===--- Timeline.cpp -----------------------------------------------------===//

#include "Timeline.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace async_tidy {

const char *kindName(TimeSegment::Kind What) {
  switch (What) {
  case TimeSegment::Attempt:
    return "attempt";
  case TimeSegment::Pause:
    return "pause";
  case TimeSegment::Step:
    return "step";
  }
  llvm_unreachable("all kinds are handled");
}

static TimelineCollector *Collecting = nullptr;

TimelineCollector::TimelineCollector() {
  assert(!Collecting && "two collectors at a time");
  Collecting = this;
}

TimelineCollector::~TimelineCollector() { Collecting = nullptr; }

void addTimeline(StringRef Check, SourceLocation Where,
                 std::vector<TimeSegment> Segments,
                 std::optional<double> Budget, const SourceManager &SM) {
  if (!Collecting)
    return;
  // Diagnostics stand where a macro is used.
  SourceLocation Place = SM.getFileLoc(Where);
  Collecting->Found.push_back({Check.str(), SM.getFilename(Place).str(),
                               SM.getFileOffset(Place), std::move(Segments),
                               Budget});
}

TimeSegment makeSegment(TimeSegment::Kind What, std::string Name,
                        double Nanoseconds, SourceLocation At,
                        const SourceManager &SM) {
  SourceLocation Place = SM.getFileLoc(At);
  return {What, std::move(Name), Nanoseconds, SM.getFilename(Place).str(),
          SM.getSpellingLineNumber(Place)};
}

} // namespace async_tidy
