// What a project says about its own names.
// RUN: %check %s async-blocking-call-in-coroutine --suffix OWN \
// RUN:   --option "async-blocking-call-in-coroutine.ExtraBlocking=shop::charge=net=the payment queue; ::shop::till=db" \
// RUN:   --option "async-blocking-call-in-coroutine.OffloadFunctions=run_apart" \
// RUN:   --option "async-blocking-call-in-coroutine.SchedulersAllowed=shop::back_office" \
// RUN:   --option async-blocking-call-in-coroutine.TrustNonblocking=false
// RUN: %check %s async-blocking-call-in-coroutine --suffix NONE
#include "blocking/loop.h"
#include <unistd.h>

namespace shop {
int charge(int);
struct till {
  till(int);
  int count();
};
struct back_office {};
template <class F> void run_apart(F f) { f(); }
} // namespace shop
[[clang::annotate("async-tidy:nonblocking")]] void quick() { ::sleep(1); }

own::task<int> pays() {
  int n = shop::charge(1);
  // CHECK-MESSAGES-OWN: :[[@LINE-1]]:11: warning: 'shop::charge' blocks the event loop's thread until the network is done; use the payment queue
  shop::till t(1);
  // CHECK-MESSAGES-OWN: :[[@LINE-1]]:14: warning: constructing 'shop::till' blocks the event loop's thread until the database answers [
  quick();
  // CHECK-MESSAGES-OWN: :[[@LINE-1]]:3: warning: 'quick' ends up in '::sleep'
  co_return n;
}

own::task<> offloads() {
  shop::run_apart([] { ::sleep(1); });
  // CHECK-MESSAGES-NONE: :[[@LINE-1]]:24: warning: '::sleep' blocks
  co_await own::io();
}

asio::awaitable<> counts() {
  ::sleep(1);
  // CHECK-MESSAGES-NONE: :[[@LINE-1]]:3: warning: '::sleep' blocks
  co_return;
}
void starts(shop::back_office &office) {
  asio::co_spawn(office, counts(), asio::detached);
}
