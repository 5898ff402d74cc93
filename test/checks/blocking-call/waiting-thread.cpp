// RUN: %check %s async-blocking-call-in-coroutine

// A thread that waits for a coroutine runs its beginning, and holds up no loop.

#include "blocking/loop.h"
#include <thread>

using namespace std::chrono_literals;

cppcoro::task<> io();

cppcoro::task<> setUp() {
  std::this_thread::sleep_for(1s);
  co_await io();
}

cppcoro::task<> run() {
  std::this_thread::sleep_for(1s);
  co_await setUp();
  std::this_thread::sleep_for(1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread
}

// Awaited where the waiting thread may have been left already.
cppcoro::task<> later() {
  std::this_thread::sleep_for(1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread
  co_await io();
}
cppcoro::task<> runTwice() {
  co_await io();
  co_await later();
}

// Not only started by who waits for it.
cppcoro::task<> shared() {
  std::this_thread::sleep_for(1s);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread
  co_await io();
}
cppcoro::task<> service() {
  co_await io();
  co_await shared();
}

int main() {
  cppcoro::sync_wait(run());
  auto kept = runTwice();
  cppcoro::sync_wait(std::move(kept));
  cppcoro::sync_wait(shared());
}

// A local is destroyed where the coroutine has gone on to by then.
struct worker {
  std::thread thread;
  ~worker() { thread.join(); }
};
cppcoro::task<> works() {
  worker w;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: destroying 'w' ('worker::~worker') ends up in 'std::thread::join'
  co_await io();
  co_await io();
}
cppcoro::task<> worksFirst() {
  { worker w; }
  co_await io();
}
void starts() {
  cppcoro::sync_wait(works());
  cppcoro::sync_wait(worksFirst());
}
