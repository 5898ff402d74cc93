#include "checks/analysis/Durations.h"
#include "driver/Reports.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace async_tidy {
namespace {

// No script, and the policy allows none: whatever the linted code's text holds
// is shown and nothing more. System fonts and inline style: nothing is loaded.
constexpr char Head[] = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'">
<title>async-tidy</title>
<style>
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1d2430; --quiet: #5b6675; --line: #d5dbe3;
  --soft: #f3f5f8; --here: #fff3cf; --error: #a3161b;
  --attempt: #2f6db5; --pause: #9aa7b6; --step: #2c8a74; --over: #c9302c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181f; --text: #e3e8ef; --quiet: #98a4b3; --line: #323b48;
    --soft: #1d232d; --here: #4a3c12; --error: #ff8a84;
    --attempt: #4d8fdd; --pause: #66717f; --step: #38a88e; --over: #e5534b;
  }
}
body { margin: 0 auto; max-width: 58rem; padding: 1.5rem; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
table { border-collapse: collapse; } td, th { padding: .15rem .9rem .15rem 0;
  text-align: left; font-weight: normal; } th { color: var(--quiet); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
article { margin: 1.4rem 0; } article > p { margin: .3rem 0; }
.message { font-weight: 600; overflow-wrap: anywhere; }
.check, .place, .quiet { color: var(--quiet); font-size: .87em; }
.error { color: var(--error); }
pre { background: var(--soft); border-radius: 6px; margin: .5rem 0; overflow-x: auto;
  padding: .5rem 0; font: 13px/1.5 ui-monospace, monospace; }
pre span { display: block; padding: 0 .8rem; white-space: pre; }
pre .here { background: var(--here); }
pre i { color: var(--quiet); font-style: normal; display: inline-block; width: 3.5em; }
ul.notes { margin: .3rem 0; padding-left: 1.2rem; }
svg.timeline { display: block; width: 100%; margin: .5rem 0; }
.timeline text { font: 11px system-ui, sans-serif; } .timeline .mark { fill: var(--text); }
.timeline .inside { fill: #ffffff; } .timeline rect { stroke: var(--page); stroke-width: 1; }
.attempt { fill: var(--attempt); } .pause { fill: var(--pause); }
.step { fill: var(--step); } .over { fill: var(--over); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
.timeline .budget { stroke: var(--text); stroke-width: 2; stroke-dasharray: 4 3; }
</style>
</head>
<body>
)html";

class Page {
public:
  Page(const LintResult &Result, raw_ostream &OS) : Result(Result), OS(OS) {}

  void write() {
    OS << Head;
    summary();
    MapVector<StringRef, SmallVector<const Finding *, 4>> ByFile;
    for (const Finding &F : Result.Findings)
      ByFile[F.At.File].push_back(&F);
    for (const auto &[File, Findings] : ByFile) {
      OS << "<section>\n<h2>" << escaped(File) << "</h2>\n";
      for (const Finding *F : Findings)
        finding(*F);
      OS << "</section>\n";
    }
    OS << "</body>\n</html>\n";
  }

private:
  void summary() {
    OS << "<h1>async-tidy: " << Result.Findings.size() << " finding"
       << (Result.Findings.size() == 1 ? "" : "s") << "</h1>\n";
    std::map<StringRef, unsigned> ByCheck;
    for (const Finding &F : Result.Findings)
      ++ByCheck[F.Check];
    if (!ByCheck.empty()) {
      OS << "<table class=\"summary\">\n";
      for (const auto &[Check, Count] : ByCheck)
        OS << "<tr><td>" << escaped(Check) << "</td><td class=\"number\">"
           << Count << "</td></tr>\n";
      OS << "</table>\n";
    }
    for (const NotAnalysed &Broken : Result.Broken)
      OS << "<p class=\"error\">" << escaped(Broken.File)
         << " was not analysed: " << escaped(Broken.FirstError) << "</p>\n";
  }

  void finding(const Finding &F) {
    OS << "<article>\n<p class=\"message\">" << escaped(F.At.Message)
       << "</p>\n<p class=\"" << (F.IsError ? "check error" : "check") << "\">"
       << escaped(place(F.At)) << " · " << escaped(F.Check) << "</p>\n";
    excerpt(F.At);
    if (!F.Notes.empty()) {
      OS << "<ul class=\"notes\">\n";
      for (const Remark &Note : F.Notes)
        OS << "<li>" << escaped(Note.Message) << " <span class=\"place\">"
           << escaped(place(Note)) << "</span></li>\n";
      OS << "</ul>\n";
    }
    if (F.Sum)
      sum(*F.Sum);
    OS << "</article>\n";
  }

  static std::string place(const Remark &R) {
    return R.Line ? R.File + ":" + std::to_string(R.Line) : R.File;
  }

  /// The lines around \p At.
  void excerpt(const Remark &At) {
    if (!At.Line)
      return;
    auto [It, New] = Sources.try_emplace(At.File);
    if (New)
      if (auto Buffer = MemoryBuffer::getFile(At.File))
        It->second = std::move(*Buffer);
    if (!It->second)
      return;
    SmallVector<StringRef> Lines;
    It->second->getBuffer().split(Lines, '\n');
    if (At.Line > Lines.size())
      return;
    OS << "<pre>";
    for (unsigned Line = At.Line > 2 ? At.Line - 2 : 1;
         Line <= std::min<size_t>(At.Line + 2, Lines.size()); ++Line)
      OS << (Line == At.Line ? "<span class=\"here\"><i>" : "<span><i>") << Line
         << "</i>" << escaped(Lines[Line - 1].rtrim('\r').take_front(200))
         << "</span>";
    OS << "</pre>\n";
  }

  void key(StringRef Colour, StringRef Meaning) {
    OS << "<span class=\"key\" style=\"background: var(--" << Colour
       << ")\"></span>" << Meaning;
  }

  void sum(const Timeline &T) {
    OS << drawTimeline(T) << "\n<p class=\"quiet\">";
    for (TimeSegment::Kind K :
         {TimeSegment::Attempt, TimeSegment::Step, TimeSegment::Pause})
      if (llvm::any_of(T.Segments,
                       [&](const TimeSegment &S) { return S.What == K; }))
        key(kindName(K), kindName(K));
    if (T.Budget && *T.Budget < T.total())
      key("over", "beyond the budget");
    OS << "</p>\n<details><summary>" << escaped(formatDuration(T.total()))
       << " in all, "
       << (T.Budget ? "there are " + escaped(formatDuration(*T.Budget))
                    : std::string("without a limit for the whole"))
       << "</summary>\n<table>\n";
    for (const TimeSegment &S : T.Segments)
      OS << "<tr><td>" << escaped(S.Name) << "</td><td class=\"number\">"
         << escaped(formatDuration(S.Nanoseconds))
         << "</td><td class=\"place\">" << escaped(S.File) << ":" << S.Line
         << "</td></tr>\n";
    OS << "</table>\n</details>\n";
  }

  const LintResult &Result;
  raw_ostream &OS;
  std::map<std::string, std::unique_ptr<MemoryBuffer>> Sources;
};

} // namespace

std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(json::fixUTF8(Text), OS);
  return Result;
}

void writeHtml(const LintResult &Result, raw_ostream &OS) {
  Page(Result, OS).write();
}

} // namespace async_tidy
