//===--- report.cpp - What was expected and what was measured -------------===//

#include "report.h"
#include <iostream>

using namespace crawler;

std::string crawler::seconds(Clock::duration D) {
  auto Tenths =
      std::chrono::duration_cast<std::chrono::milliseconds>(D).count() / 100;
  return std::to_string(Tenths / 10) + "." + std::to_string(Tenths % 10) + " s";
}

void crawler::chapter(const std::string &Title) {
  std::cout << '\n' << Title << '\n';
}

void crawler::story(const std::string &Function, const std::string &Expected,
                    const std::string &Measured, bool AsExpected) {
  std::cout << "  " << Function << (AsExpected ? ": right" : ": WRONG")
            << "\n    expected: " << Expected << "\n    measured: " << Measured
            << std::endl;
}
