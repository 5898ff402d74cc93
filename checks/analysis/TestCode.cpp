//===--- TestCode.cpp -----------------------------------------------------===//

#include "TestCode.h"

using namespace clang;

namespace async_tidy {

bool TestCode::contains(const FunctionDecl &F, Path &Asked) {
  if (isInTestMacro(F.getLocation(), Context.roles()))
    return true;
  // What calls only itself is used by nobody.
  if (!Asked.insert(&F).second)
    return false;
  if (const FunctionDecl *Around = Coroutines::enclosingFunction(F))
    return contains(*Around, Asked);
  llvm::ArrayRef<FunctionUse> Uses = Context.get<Coroutines>().uses(F);
  bool Any = false;
  for (const FunctionUse &Use : Uses) {
    if (!Use.In)
      return false;
    if (Use.In == &F)
      continue;
    if (!contains(*Use.In, Asked))
      return false;
    Any = true;
  }
  return Any;
}

bool TestCode::contains(const FunctionDecl &F) {
  auto [It, New] = Known.try_emplace(&F, false);
  if (!New)
    return It->second;
  Path Asked;
  bool Found = contains(F, Asked);
  return Known[&F] = Found;
}

} // namespace async_tidy
