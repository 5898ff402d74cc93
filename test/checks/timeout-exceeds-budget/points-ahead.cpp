// RUN: %check %s async-timeout-exceeds-budget

// A function that makes a point in time out of the time until then.

#include "time/td.h"

using td::actor::await_with_timeout;

td::actor::Task<int> fetch();
constexpr double kPatience = 2.5;

td::actor::Task<int> slow() {
  co_return co_await await_with_timeout(fetch(), td::Timestamp::in(10));
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: this limit of 10 s never runs out: the limit around it ends the wait after 2.5 s [async-timeout-exceeds-budget]
}
td::actor::Task<int> page() {
  co_return co_await await_with_timeout(slow(), td::Timestamp::in(kPatience));
}

td::actor::Task<int> quick() {
  co_return co_await await_with_timeout(fetch(), td::Timestamp::in(1));
}
td::actor::Task<int> enough() {
  co_return co_await await_with_timeout(quick(), td::Timestamp::in(kPatience));
}
