// RUN: %check %s async-blocking-call-in-coroutine

// What a project calls its own functions says that they wait.

#include "blocking/loop.h"
#include <string>

namespace native {
int run_process(const std::string &program);
own::task<int> runProcess(const std::string &program);
} // namespace native
own::task<> compiles(const std::string &program) {
  native::run_process(program);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'native::run_process' blocks the event loop's thread until the process is done
  co_await native::runProcess(program);
}

// An object that is called like a function, too.
namespace tasks {
struct SyncWait {
  template <class T> T operator()(own::task<T> task) const;
};
inline constexpr SyncWait syncWait{};
} // namespace tasks
own::task<int> loads();
int helper() { return tasks::syncWait(loads()); }
own::task<> waits() {
  tasks::syncWait(loads());
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'tasks::syncWait' waits for async work
  helper();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'helper' ends up in 'tasks::syncWait'
  co_await loads();
}
void outside() { tasks::syncWait(loads()); }
