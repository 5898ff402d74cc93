// In tests, sleeping and waiting is on purpose; file access is not.
// RUN: cp %s %t_test.cpp
// RUN: %plugin-tidy --checks=-*,async-blocking-call-in-coroutine %t_test.cpp --config={} -- -std=c++20 -isystem %inputs 2>&1 | FileCheck %s --implicit-check-not=sleep
// RUN: %plugin-tidy --checks=-*,async-blocking-call-in-coroutine %t_test.cpp \
// RUN:   "--config={CheckOptions: {async-blocking-call-in-coroutine.TestFileRegex: ''}}" \
// RUN:   -- -std=c++20 -isystem %inputs 2>&1 | FileCheck %s --check-prefixes=CHECK,NONE
#include "blocking/loop.h"
#include <unistd.h>

own::task<> orders(int fd, char *buffer) {
  ::sleep(1);
  // NONE: warning: '::sleep' blocks
  ::read(fd, buffer, 1);
  // CHECK: warning: '::read' blocks
  co_await own::io();
}
