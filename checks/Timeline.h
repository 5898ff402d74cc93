//===--- Timeline.h - The sum behind a finding, as data ---------*- C++ -*-===//
//
// A finding about time says what its parts add up to. Here are the parts, for
// those who show more than a line of text: the async-tidy command writes them
// to JSON and draws them. clang-tidy and clangd have no place for them.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_TIMELINE_H
#define ASYNC_TIDY_TIMELINE_H

#include "clang/Basic/SourceLocation.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace async_tidy {

/// What happens in one stretch of time.
struct TimeSegment {
  enum Kind {
    Attempt, ///< work that is tried, and tried again
    Pause,   ///< waiting before the next attempt
    Step,    ///< one of several things done one after the other
  } What;
  std::string Name;       ///< for people: "attempt 2", "pause"
  double Nanoseconds = 0; ///< how long it may take
  std::string File;       ///< where the code sets that time
  unsigned Line = 0;
};

/// "attempt", "pause", "step".
const char *kindName(TimeSegment::Kind What);

/// One stretch after the other, beginning at nought.
struct Timeline {
  // The finding it belongs to.
  std::string Check; ///< "async-unbudgeted-retry"
  std::string File;  ///< as clang spells it
  unsigned Offset;   ///< in bytes

  std::vector<TimeSegment> Segments;
  /// What there is for all of it, in nanoseconds.
  std::optional<double> Budget;

  double total() const {
    double Sum = 0;
    for (const TimeSegment &S : Segments)
      Sum += S.Nanoseconds;
    return Sum;
  }
};

/// While one lives, it keeps the timelines that checks of this process find;
/// there is at most one at a time.
class TimelineCollector {
public:
  TimelineCollector();
  ~TimelineCollector();
  TimelineCollector(const TimelineCollector &) = delete;
  TimelineCollector &operator=(const TimelineCollector &) = delete;

  std::vector<Timeline> Found;
};

/// Called by a check next to its diag(): \p Segments are behind its finding at
/// \p Where. Does nothing when nobody collects.
void addTimeline(llvm::StringRef Check, clang::SourceLocation Where,
                 std::vector<TimeSegment> Segments,
                 std::optional<double> Budget, const clang::SourceManager &SM);

/// A segment whose time is set at \p At.
TimeSegment makeSegment(TimeSegment::Kind What, std::string Name,
                        double Nanoseconds, clang::SourceLocation At,
                        const clang::SourceManager &SM);

} // namespace async_tidy

#endif // ASYNC_TIDY_TIMELINE_H
