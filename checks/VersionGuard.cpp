// A plugin knows the memory layout of the clang it was built with. In another
// one it would be listed, find nothing and look like a clean run, so it ends
// the program instead, as soon as it is loaded and before anything of it runs.

#include "clang/Basic/Version.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

/// "22.1" of "Debian clang version 22.1.8 (...)"; patch levels are compatible.
std::string majorMinor(const std::string &Text) {
  size_t Start = Text.find_first_of("0123456789");
  if (Start == std::string::npos)
    return Text;
  size_t Dot = Text.find('.', Start);
  size_t End = Text.find_first_not_of("0123456789", Dot + 1);
  return Text.substr(Start, Dot == std::string::npos ? Dot : End - Start);
}

struct VersionGuard {
  VersionGuard() {
    const std::string Running = majorMinor(clang::getClangFullVersion());
    const std::string Built = majorMinor(CLANG_VERSION_STRING);
    if (Running == Built)
      return;
    std::fprintf(stderr,
                 "error: this async-tidy plugin was built for clang %s and "
                 "cannot run in clang %s; use the plugin built for clang %s\n",
                 Built.c_str(), Running.c_str(), Running.c_str());
    std::fflush(stderr);
    // No destructors: they would be those of the wrong clang.
    std::_Exit(2);
  }
};

// 101 is the first priority that is not the implementation's own: nothing else
// of the plugin may have run by then.
[[gnu::init_priority(101)]] const VersionGuard Guard;

} // namespace
