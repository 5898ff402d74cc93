//===--- ArgumentEdits.h - Fix-its for arguments ----------------*- C++ -*-===//
//
// Edits that checks about omitted arguments have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ARGUMENTEDITS_H
#define ASYNC_TIDY_ARGUMENTEDITS_H

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Diagnostic.h"

namespace clang::tidy::async {

/// The call and its closing parenthesis are written out, so that a fix-it can
/// change them.
bool isEditable(const CallExpr &Call);

/// Writes \p Text behind the last argument of \p Call; no edit if that is not
/// isEditable().
FixItHint appendArgument(const CallExpr &Call, StringRef Text);

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_ARGUMENTEDITS_H
