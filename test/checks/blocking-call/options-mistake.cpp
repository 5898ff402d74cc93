// A mistake in ExtraBlocking is said.
// RUN: not %clang-tidy -load=%plugin --checks=-*,async-blocking-call-in-coroutine \
// RUN:   "--config={CheckOptions: {async-blocking-call-in-coroutine.ExtraBlocking: 'f=slow'}}" \
// RUN:   --warnings-as-errors=* %s -- -std=c++20 2>&1 | FileCheck %s
int nothing;
// CHECK: option ExtraBlocking: 'f=slow' is not of the form name=category=replacement; categories are sleep, sync,
