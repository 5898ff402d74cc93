// RUN: %check %s async-shielded-await-under-timeout --suffix DEFAULT
// RUN: %check %s async-shielded-await-under-timeout --suffix STRICT --option async-shielded-await-under-timeout.AllowWithInnerTimeout=false
// RUN: %check %s async-shielded-await-under-timeout --suffix NAMES --option async-shielded-await-under-timeout.ShieldFunctions=project::protect --option async-shielded-await-under-timeout.AllowedShieldedCallees=charge

#include "time/folly.h"

using namespace std::chrono_literals;
using folly::coro::co_withCancellation;
using folly::coro::timeout;

folly::coro::Task<int> charge(int cents);
folly::coro::Task<int> ship(int parcel);
namespace project {
folly::coro::Task<int> protect(folly::coro::Task<int> work);
}

folly::coro::Task<int> charges() {
  co_return co_await timeout(co_withCancellation({}, charge(1)), 1s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:22: warning: this timeout of 1 s
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:22: warning: this timeout of 1 s
}

folly::coro::Task<int> inner() {
  co_return co_await timeout(
      co_withCancellation({}, timeout(charge(1), 300ms)), 1s);
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:22: warning: this timeout of 1 s
}

folly::coro::Task<int> own() {
  co_return co_await timeout(project::protect(ship(1)), 1s);
  // CHECK-MESSAGES-NAMES: :[[@LINE-1]]:22: warning: this timeout of 1 s cannot end the wait before the work ends: 'protect' keeps
}
