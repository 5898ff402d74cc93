// What blocks in a test does so on purpose; only waits for async work are not.
// RUN: cp %s %t_test.cpp
// RUN: %plugin-tidy --checks=-*,async-blocking-call-in-coroutine %t_test.cpp --config={} -- -std=c++20 -isystem %inputs 2>&1 | FileCheck %s --implicit-check-not=sleep "--implicit-check-not='::read' blocks"
// RUN: %plugin-tidy --checks=-*,async-blocking-call-in-coroutine %t_test.cpp \
// RUN:   "--config={CheckOptions: {async-blocking-call-in-coroutine.TestFileRegex: ''}}" \
// RUN:   -- -std=c++20 -isystem %inputs 2>&1 | FileCheck %s --check-prefixes=CHECK,NONE
#include "blocking/loop.h"
#include <unistd.h>

cppcoro::task<> work();
own::task<> orders(int fd, char *buffer) {
  ::sleep(1);
  // NONE: warning: '::sleep' blocks
  ::read(fd, buffer, 1);
  // NONE: warning: '::read' blocks
  cppcoro::sync_wait(work());
  // CHECK: warning: 'cppcoro::sync_wait' waits
  co_await own::io();
}
