#include "checks/analysis/Durations.h"
#include "driver/Reports.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace async_tidy {
namespace {

// In units of the picture.
constexpr double Width = 760, Left = 8, Top = 26, BarHeight = 26, Height = 74;
constexpr double LetterWidth = 6.6; ///< of the 11 px text, on average

class Drawing {
public:
  explicit Drawing(const Timeline &T)
      : T(T), Scale((Width - 2 * Left) /
                    std::max({T.total(), T.Budget.value_or(0), 1.0})),
        OS(Text) {}

  std::string draw() {
    OS << formatv(
        "<svg class=\"timeline\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"{2}\">",
        Width, Height, escaped(summary()));
    double At = 0;
    for (const TimeSegment &S : T.Segments) {
      segment(S, At);
      At += S.Nanoseconds;
    }
    axis();
    OS << "</svg>";
    return Text;
  }

private:
  double x(double Nanoseconds) const { return Left + Nanoseconds * Scale; }

  std::string summary() const {
    std::string Sum = formatDuration(T.total()) + " in all";
    if (T.Budget)
      Sum += ", there are " + formatDuration(*T.Budget);
    return Sum;
  }

  void bar(double From, double To, StringRef Colour) {
    if (To > From)
      OS << formatv("<rect class=\"{0}\" x=\"{1:f2}\" y=\"{2}\" "
                    "width=\"{3:f2}\" height=\"{4}\"/>",
                    Colour, x(From), Top, (To - From) * Scale, BarHeight);
  }

  void segment(const TimeSegment &S, double Start) {
    double End = Start + S.Nanoseconds;
    double Allowed =
        std::clamp(T.Budget.value_or(End), Start, std::max(Start, End));
    OS << "<g><title>"
       << escaped(S.Name + ": " + formatDuration(S.Nanoseconds) + ", from " +
                  S.File + ":" + std::to_string(S.Line))
       << "</title>";
    bar(Start, Allowed, kindName(S.What));
    bar(Allowed, End, "over");
    std::string Label = formatDuration(S.Nanoseconds);
    if (Label.size() * LetterWidth < S.Nanoseconds * Scale)
      text((x(Start) + x(End)) / 2, Top + BarHeight / 2 + 4, "inside", "middle",
           Label);
    OS << "</g>";
  }

  void text(double X, double Y, StringRef Class, StringRef Anchor,
            StringRef What) {
    OS << formatv("<text class=\"{0}\" x=\"{1:f2}\" y=\"{2:f2}\" "
                  "text-anchor=\"{3}\">{4}</text>",
                  Class, X, Y, Anchor, escaped(What));
  }

  /// The ends of the sum and of the budget, each with its time.
  void axis() {
    double Below = Top + BarHeight + 16;
    text(Left, Below, "mark", "start", "0");
    double End = x(T.total());
    text(End, Below, "mark", End > Width / 2 ? "end" : "start",
         formatDuration(T.total()));
    if (!T.Budget)
      return;
    double Limit = x(*T.Budget);
    OS << formatv("<line class=\"budget\" x1=\"{0:f2}\" x2=\"{0:f2}\" "
                  "y1=\"{1}\" y2=\"{2}\"/>",
                  Limit, Top - 8, Top + BarHeight + 4);
    text(Limit, Top - 12, "mark", Limit > Width / 2 ? "end" : "start",
         "there are " + formatDuration(*T.Budget));
  }

  const Timeline &T;
  const double Scale; ///< units of the picture for a nanosecond
  std::string Text;
  raw_string_ostream OS;
};

} // namespace

std::string drawTimeline(const Timeline &T) { return Drawing(T).draw(); }

} // namespace async_tidy
