// Precompiled for every file of checks/ (and for nothing else): the large
// headers that nearly all of them include. Files include what they use
// nevertheless.

#include "clang-tidy/ClangTidyCheck.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include <nlohmann/json.hpp>
