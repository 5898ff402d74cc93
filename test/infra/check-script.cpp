// check.py itself, tried on a check that every clang-tidy has.
// RUN: split-file %s %t
// RUN: %check %t/good.cpp modernize-use-nullptr --upstream
// RUN: %check %t/suffix.cpp modernize-use-nullptr --upstream --suffix ON -- -DON
// RUN: %check %t/suffix.cpp modernize-use-nullptr --upstream
// RUN: %check %t/silent.cpp modernize-use-nullptr --upstream
// RUN: not %check %t/unexpected.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=UNEXPECTED
// RUN: not %check %t/missing.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=MISSING
// RUN: not %check %t/extra.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=EXTRA
// RUN: not %check %t/error.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=ERROR
// RUN: not %check %t/unasked-fix.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=UNASKED
// RUN: not %check %t/wrong-fix.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=WRONG
// RUN: not %check %t/bad-fix.cpp modernize-use-nullptr --upstream -- -fno-delayed-template-parsing | FileCheck %s --check-prefix=BADFIX
// RUN: not %check %t/typo.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=TYPO
// RUN: not %check %t/suffix-typo.cpp modernize-use-nullptr --upstream | FileCheck %s --check-prefix=SUFFIXTYPO
// RUN: not %check %t/good.cpp modernize-use-nulptr --upstream | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %check %t/notes.cpp bugprone-branch-clone --upstream | FileCheck %s --check-prefix=NOTES

//--- good.cpp
int *P = 0;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr [modernize-use-nullptr]
// CHECK-FIXES: int *P = nullptr;
//--- suffix.cpp
// Run with --suffix ON too.
#ifdef ON
int *P = 0;
// CHECK-MESSAGES-ON: :[[@LINE-1]]:10: warning: use nullptr
// CHECK-FIXES-ON: int *P = nullptr;
#endif
//--- silent.cpp
int *P = nullptr;
//--- unexpected.cpp
int *P = 0;
// UNEXPECTED: nothing was expected to be found, but:
// UNEXPECTED: use nullptr
//--- missing.cpp
int *P = nullptr;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr
// MISSING: differ from what
//--- extra.cpp
int *P = 0;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr
// CHECK-FIXES: int *P = nullptr;
int *Q = 0;
// EXTRA: differ from what
// EXTRA: CHECK-NOT
//--- error.cpp
int *P = nullptr
// ERROR: expected ';'
//--- unasked-fix.cpp
int *P = 0;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr
// UNASKED: no CHECK-FIXES, but a fix was applied:
// UNASKED: +int *P = nullptr;
//--- wrong-fix.cpp
int *P = 0;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr
// CHECK-FIXES: int *P = NULL;
// WRONG: int *P = nullptr;
// WRONG: differ from what
//--- bad-fix.cpp
#define nullptr oops
int *P = 0;
// CHECK-MESSAGES: :[[@LINE-1]]:10: warning: use nullptr
// CHECK-FIXES: int *P = nullptr;
// BADFIX: the fixed text does not compile:
// BADFIX: use of undeclared identifier 'oops'
//--- typo.cpp
int *P = nullptr;
// CHECK-MESAGES: :[[@LINE-1]]:10: warning: use nullptr
// TYPO: typo.cpp:2: not an expectation
//--- suffix-typo.cpp
int *P = nullptr;
// CHECK-MESSAGES-OF: :[[@LINE-1]]:10: warning: use nullptr
// SUFFIXTYPO: no run has {{.*}} OF
//--- notes.cpp
int f(bool B) {
  if (B) {
    return 1;
  } else {
    return 1;
  }
}
// CHECK-NOTES: :[[@LINE-6]]:3: warning: if with identical then and else branches
// NOTES: note: else branch starts here
// NOTES: differ from what

// UNKNOWN: no checks enabled
