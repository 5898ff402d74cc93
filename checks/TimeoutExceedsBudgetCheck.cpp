//===--- TimeoutExceedsBudgetCheck.cpp ------------------------------------===//

#include "TimeoutExceedsBudgetCheck.h"
#include "TimeText.h"
#include "Timeline.h"
#include "clang-tidy/utils/OptionsUtils.h"

using namespace async_tidy;

namespace clang::tidy::async {

TimeoutExceedsBudgetCheck::TimeoutExceedsBudgetCheck(StringRef Name,
                                                     ClangTidyContext *Context)
    : AsyncCheck(Name, Context), EqualIsBad(Options.get("EqualIsBad", true)),
      SumSequential(Options.get("SumSequential", true)),
      MaxDepth(Options.get("MaxDepth", 5U)),
      HandlerBudgetText(Options.get("HandlerBudget", "")),
      Handlers(utils::options::parseStringList(Options.get("Handlers", ""))) {
  if (HandlerBudgetText.empty())
    return;
  HandlerBudget = parseDuration(HandlerBudgetText);
  if (!HandlerBudget)
    configurationDiag("HandlerBudget '%0' of %1 is no duration; write a number "
                      "and one of h, min, s, ms, us, ns")
        << HandlerBudgetText << Name;
}

void TimeoutExceedsBudgetCheck::storeOptions(
    ClangTidyOptions::OptionMap &Opts) {
  AsyncCheck::storeOptions(Opts);
  Options.store(Opts, "EqualIsBad", EqualIsBad);
  Options.store(Opts, "SumSequential", SumSequential);
  Options.store(Opts, "MaxDepth", MaxDepth);
  Options.store(Opts, "HandlerBudget", HandlerBudgetText);
  Options.store(Opts, "Handlers",
                utils::options::serializeStringList(Handlers));
}

bool TimeoutExceedsBudgetCheck::wantsPlainFunction(const FunctionDecl &F) {
  return isAwaitableType(F.getReturnType(), analyses().ast());
}

void TimeoutExceedsBudgetCheck::checkFunction(const FunctionBody &Body) {
  Limits &All = analyses().get<Limits>();
  TimeSums &Sums = analyses().get<TimeSums>();
  for (const Expr *Outcome : outcomesOf(Body))
    for (const Limit &L : All.limitsIn(Body, Outcome)) {
      // Two things under one limit run side by side.
      Amount Time = All.amount(L);
      if (!Time.High || *Time.High <= 0 || L.How == Limit::Argument)
        continue;
      for (const Expr *Work : L.Work)
        judge({Time, &Body, &L}, Sums.under(Body, L, Work, MaxDepth));
    }
  if (HandlerBudget && isNamed(Body.function(), Handlers))
    judge({Amount::of(*HandlerBudget), &Body, nullptr},
          Sums.of(Body, MaxDepth));
}

/// How long a connection may be idle or live says nothing about one request.
static bool isAboutConnections(const TimeStretch &Part) {
  auto Says = [](const NamedDecl *D) {
    if (!D || !D->getDeclName().isIdentifier())
      return false;
    std::string Name = D->getName().lower();
    return llvm::any_of(
        std::initializer_list<StringRef>{"idle", "keepalive", "keep_alive",
                                         "heartbeat", "lifetime", "linger",
                                         "shutdown"},
        [&](StringRef Word) { return StringRef(Name).contains(Word); });
  };
  return llvm::any_of(Part.Each.Origins,
                      [&](const AmountOrigin &O) { return Says(O.Name); }) ||
         llvm::any_of(Part.Chain, Says);
}

/// A function on the way to \p Part is also used where it has \p Needs, or as
/// long as it wants.
bool TimeoutExceedsBudgetCheck::isUsedOtherwise(const Budget &Outer,
                                                const TimeStretch &Part,
                                                double Needs) {
  Limits &All = analyses().get<Limits>();
  for (const FunctionDecl *F : Part.Chain)
    for (const FunctionUse &Use : coroutines().uses(*F)) {
      const FunctionBody *In = Use.In ? coroutines().body(Use.In) : nullptr;
      if (!In)
        return true;
      if (llvm::is_contained(Part.Chain, Use.In) || In == Outer.In)
        continue;
      auto Around = All.enclosing(*In, Use.Where);
      if (Around.empty() && !All.isLimitedByCallers(In->function()))
        return true;
      for (const Limit &L : Around)
        if (Amount Time = All.amount(L); !Time.High || *Time.High > Needs)
          return true;
    }
  return false;
}

void TimeoutExceedsBudgetCheck::judge(const Budget &Outer, const TimeSum &Sum) {
  double Has = *Outer.Time.High;
  // One that is as long as the whole by itself.
  for (const TimeStretch &Part : Sum.Segments) {
    if (Part.What != TimeStretch::Limited)
      continue;
    double One = Part.Nanoseconds / Part.Times;
    if (One < Has || (One == Has && !EqualIsBad))
      continue;
    // The same constant in both places is one decision, not two.
    auto SameName = [&](const AmountOrigin &O) {
      return llvm::any_of(Outer.Time.Origins, [&](const AmountOrigin &Other) {
        return Other.Name == O.Name;
      });
    };
    if (One == Has && llvm::any_of(Part.Each.Origins, SameName))
      return;
    if (!isAboutConnections(Part) && !isUsedOtherwise(Outer, Part, One))
      report(Outer, Sum, Part, /*Alone=*/true);
    return;
  }
  if (Sum.Nanoseconds <= Has || llvm::any_of(Sum.Segments, isAboutConnections))
    return;
  for (const TimeStretch &Part : Sum.Segments) {
    if (Part.What != TimeStretch::Retried)
      continue;
    // To cut the last attempt short is what a limit around a retry is for. One
    // that keeps it from ever beginning contradicts the number of attempts.
    double Last = (Part.Nanoseconds - Part.Pauses) / Part.Times;
    if (Part.Nanoseconds - Last >= Has) {
      if (!isUsedOtherwise(Outer, Part, Part.Nanoseconds))
        report(Outer, Sum, Part, /*Alone=*/true);
      return;
    }
  }
  if (!SumSequential)
    return;
  double Passed = 0;
  for (const TimeStretch &Part : Sum.Segments) {
    Passed += Part.Nanoseconds;
    if (Passed <= Has)
      continue;
    // A pause or the last attempt is cut short; that is no fault of a limit.
    if (Part.What == TimeStretch::Limited &&
        !isUsedOtherwise(Outer, Part, Sum.Nanoseconds))
      report(Outer, Sum, Part, /*Alone=*/false);
    return;
  }
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// "2 s + 3 x 1 s": one term for each segment.
static std::string terms(ArrayRef<TimeStretch> Parts) {
  std::string Text;
  for (const TimeStretch &Part : Parts) {
    if (Part.Nanoseconds == 0)
      continue;
    if (!Text.empty())
      Text += " + ";
    if (Part.What != TimeStretch::Retried && Part.Times > 1)
      Text += std::to_string(Part.Times) + " x " +
              formatDuration(Part.Nanoseconds / Part.Times);
    else
      Text += formatDuration(Part.Nanoseconds);
  }
  return Text;
}

/// The stretches as those who draw them want them.
static std::vector<TimeSegment> drawn(ArrayRef<TimeStretch> Parts,
                                      const SourceManager &SM) {
  std::vector<TimeSegment> Segments;
  for (const TimeStretch &Part : Parts) {
    bool Retried = Part.What == TimeStretch::Retried;
    unsigned Pieces = Retried ? 1 : Part.Times;
    for (unsigned I = 0; I < Pieces && I < 100; ++I)
      Segments.push_back(
          makeSegment(Part.What == TimeStretch::Pause ? TimeSegment::Pause
                                                      : TimeSegment::Step,
                      Retried ? std::to_string(Part.Times) + " attempts"
                      : Part.What == TimeStretch::Pause
                          ? "pause"
                          : "step " + std::to_string(Segments.size() + 1),
                      Part.Nanoseconds / Pieces, Part.At->getBeginLoc(), SM));
  }
  return Segments;
}

void TimeoutExceedsBudgetCheck::report(const Budget &Outer, const TimeSum &Sum,
                                       const TimeStretch &Culprit, bool Alone) {
  SourceLocation Where = Culprit.At->getBeginLoc();
  if (!firstReportAt(Where))
    return;
  std::string Has = formatDuration(*Outer.Time.High);
  if (!Outer.Time.exact())
    Has = "at most " + Has;
  std::string Default =
      Outer.Time.ByDefault || Culprit.Each.ByDefault ? "by default " : "";
  // What to compare with: the limit around it, or what the handler has.
  std::string End = Outer.From ? "the limit around %select{it|them}1 ends the "
                                 "wait after %2"
                               : "%2 are there for the whole";
  ArrayRef<TimeStretch> UpToHere =
      ArrayRef<TimeStretch>(Sum.Segments)
          .take_front(&Culprit + 1 - Sum.Segments.begin());
  if (Culprit.What == TimeStretch::Retried) {
    double Attempts = Culprit.Nanoseconds - Culprit.Pauses;
    std::string Text = std::to_string(Culprit.Times) + " attempts of " +
                       formatDuration(Attempts / Culprit.Times) + " each";
    if (Culprit.Pauses > 0)
      Text += " plus " + formatDuration(Culprit.Pauses) + " of pauses";
    diag(Where, "%0 can take %3; the last one never begins: " + End)
        << Default + Text << 1 << Has << formatDuration(Culprit.Nanoseconds);
  } else if (Alone) {
    diag(Where, "%0this limit of %3 never runs out: " + End)
        << Default << 0 << Has
        << (Culprit.Each.exact() ? "" : "at least ") +
               formatDuration(Culprit.Nanoseconds / Culprit.Times);
  } else {
    double Passed = 0;
    for (const TimeStretch &Part : UpToHere)
      Passed += Part.Nanoseconds;
    diag(Where, "%0the steps up to here may take %3 (%4), but " + End)
        << Default << 1 << Has << formatDuration(Passed) << terms(UpToHere);
  }
  const SourceManager &SM = analyses().ast().getSourceManager();
  addTimeline("async-timeout-exceeds-budget", Where,
              drawn(Alone ? ArrayRef<TimeStretch>(Culprit) : UpToHere, SM),
              Outer.Time.High, SM);
  if (Outer.From)
    diag(Outer.From->At->getBeginLoc(), "the limit around %select{it|them}0",
         DiagnosticIDs::Note)
        << int(!Alone || Culprit.What == TimeStretch::Retried);
  noteOrigins(*this, Outer.Time.Origins, Outer.Time.ByDefault);
  noteChain(*this, Culprit.Chain);
  if (Culprit.What == TimeStretch::Retried && Culprit.Again)
    diag(Culprit.Again->getBeginLoc(), "this tries again", DiagnosticIDs::Note);
  noteOrigins(*this, Culprit.Each.Origins, Culprit.Each.ByDefault);
  if (Alone)
    return;
  for (const TimeStretch &Part : UpToHere.drop_back()) {
    if (Part.Nanoseconds == 0)
      continue;
    diag(Part.At->getBeginLoc(),
         "%select{this step may take|this pause takes|these attempts may "
         "take}0 %1",
         DiagnosticIDs::Note)
        << int(Part.What) << terms(Part);
    noteOrigins(*this, Part.Each.Origins, Part.Each.ByDefault);
  }
}

} // namespace clang::tidy::async
