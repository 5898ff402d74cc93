//===--- report.h - What was expected and what was measured -----*- C++ -*-===//

#ifndef CRAWLER_REPORT_H
#define CRAWLER_REPORT_H

#include "asio.h"
#include <string>

namespace crawler {

/// \p D in seconds with one decimal, rounded down, as "2.0 s".
std::string seconds(Clock::duration D);

/// Prints the title of a group of stories.
void chapter(const std::string &Title);

/// Prints one story: which function was run, what its caller expects of it,
/// what happened, and whether that is \p AsExpected.
void story(const std::string &Function, const std::string &Expected,
           const std::string &Measured, bool AsExpected);

} // namespace crawler

#endif // CRAWLER_REPORT_H
