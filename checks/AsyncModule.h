//===--- AsyncModule.h - The module's name and anchor -----------*- C++ -*-===//
//
// What a program that links the checks needs to know of them.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_ASYNCMODULE_H
#define ASYNC_TIDY_ASYNCMODULE_H

namespace clang::tidy::async {

/// Refer to it to keep the linker from dropping the module's registration.
extern volatile int AsyncModuleAnchor;

} // namespace clang::tidy::async

#endif // ASYNC_TIDY_ASYNCMODULE_H
