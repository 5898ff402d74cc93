#include "driver/Options.h"
#include "checks/Compat.h"
#include "clang-tidy/GlobList.h"
#include "driver/CompileFlags.h"
#include "driver/DefaultChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace clang::tidy;

namespace async_tidy {
namespace {

// libclangTidy brings these along; they are clang-tidy's business.
constexpr char ForeignChecks[] = "-clang-diagnostic-*,-clang-analyzer-*";

std::string describe(const SMDiagnostic &Mistake, StringRef File) {
  return (File + ":" + Twine(Mistake.getLineNo()) + ":" +
          Twine(Mistake.getColumnNo() + 1) + ": " + Mistake.getMessage())
      .str();
}

/// Adds the differences that the header speaks of to another provider.
class AsyncOptionsProvider : public ClangTidyOptionsProvider {
public:
  explicit AsyncOptionsProvider(std::unique_ptr<ClangTidyOptionsProvider> Inner)
      : Inner(std::move(Inner)) {}

  const ClangTidyGlobalOptions &getGlobalOptions() override {
    return Inner->getGlobalOptions();
  }

  std::vector<OptionsSource> getRawOptions(StringRef File) override {
    std::vector<OptionsSource> Sources = Inner->getRawOptions(File);
    std::string Configured;
    for (auto &[Options, Name] : Sources) {
      if (Name != OptionsSourceTypeCheckCommandLineOption && Options.Checks)
        Configured += "," + *Options.Checks;
      for (auto *Flags : {&Options.ExtraArgs, &Options.ExtraArgsBefore})
        if (*Flags)
          *Flags = withoutCodeLoading(**Flags);
    }
    // The command line comes last and has the last word.
    if (!Sources.empty())
      Sources.insert(std::prev(Sources.end()),
                     checksOnly(defaultsFor(Configured)));
    Sources.push_back(checksOnly(ForeignChecks));
    return Sources;
  }

private:
  static OptionsSource checksOnly(std::string Checks) {
    ClangTidyOptions Options;
    Options.Checks = std::move(Checks);
    return {Options, "async-tidy"};
  }

  std::unique_ptr<ClangTidyOptionsProvider> Inner;
};

/// Reads .clang-tidy files as clang-tidy does, and keeps what is wrong in them.
class DotClangTidyFiles : public FileOptionsProvider {
public:
  DotClangTidyFiles(ClangTidyOptions Defaults, ClangTidyOptions Overrides,
                    ConfigurationErrors &Errors)
      : FileOptionsProvider(ClangTidyGlobalOptions(), std::move(Defaults),
                            std::move(Overrides)) {
    // Not by the constructor that takes handlers: it sets no file system.
    ConfigHandlers = {{".clang-tidy", [&Errors](MemoryBufferRef Text) {
                         return read(Text, Errors);
                       }}};
  }

private:
  static ErrorOr<ClangTidyOptions> read(MemoryBufferRef Text,
                                        ConfigurationErrors &Errors) {
    return parseConfigurationWithDiags(Text, [&](const SMDiagnostic &Mistake) {
      Errors.add(describe(Mistake, Text.getBufferIdentifier()));
    });
  }
};

} // namespace

void ConfigurationErrors::add(std::string Message) {
  if (!is_contained(Messages, Message))
    Messages.push_back(std::move(Message));
}

Expected<std::unique_ptr<ClangTidyOptionsProvider>>
makeOptionsProvider(const CommandLine &Request, ConfigurationErrors &Errors) {
  ClangTidyOptions Defaults;
  Defaults.Checks = "";
  Defaults.HeaderFilterRegex = ".*";
  Defaults.SystemHeaders = false;
  Defaults.FormatStyle = "none";

  ClangTidyOptions Overrides;
  Overrides.Checks = Request.Checks;
  Overrides.HeaderFilterRegex = Request.HeaderFilter;
  if (Request.SystemHeaders)
    Overrides.SystemHeaders = true;

  std::unique_ptr<ClangTidyOptionsProvider> Inner;
  if (Request.Config) {
    std::string Mistake;
    ErrorOr<ClangTidyOptions> Parsed = parseConfigurationWithDiags(
        MemoryBufferRef(*Request.Config, "--config"),
        [&](const SMDiagnostic &D) { Mistake = describe(D, "--config"); });
    if (!Parsed)
      return createStringError(
          Parsed.getError(), "%s",
          (Mistake.empty() ? Parsed.getError().message() : Mistake).c_str());
    Inner = std::make_unique<ConfigOptionsProvider>(
        ClangTidyGlobalOptions(), Defaults, *Parsed, Overrides);
  } else {
    Inner = std::make_unique<DotClangTidyFiles>(Defaults, Overrides, Errors);
  }
  return std::make_unique<AsyncOptionsProvider>(std::move(Inner));
}

std::vector<std::string> allChecks() {
  ClangTidyOptions Everything;
  Everything.Checks = std::string("*,") + ForeignChecks;
  return compat::checkNames(Everything);
}

std::vector<std::string> globsWithoutCheck(StringRef Checks) {
  std::vector<std::string> Unmatched;
  const std::vector<std::string> Names = allChecks();
  for (StringRef Glob : splitGlobs(Checks)) {
    if (Glob.starts_with("-"))
      continue;
    GlobList Matcher(Glob);
    if (none_of(Names, [&](StringRef Name) { return Matcher.contains(Name); }))
      Unmatched.push_back(Glob.str());
  }
  return Unmatched;
}

} // namespace async_tidy
