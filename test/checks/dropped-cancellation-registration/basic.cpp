// RUN: %check %s async-dropped-cancellation-registration

#include "tokens/stop.h"
#include <functional>
#include <memory>

task<int> receive();
struct socket_t {
  void close();
};

task<int> unnamed(std::stop_token stop, socket_t &s) {
  std::stop_callback(stop, [&s] { s.close(); });
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this registration ends at the ';', so its callback is never called; keep it in a variable [async-dropped-cancellation-registration]
  // CHECK-FIXES: auto registration = std::stop_callback(stop, [&s] { s.close(); });
  co_return co_await receive();
}

std::unique_ptr<std::stop_callback<std::function<void()>>>
watch(std::stop_token stop, std::function<void()> then);

task<int> discarded(std::stop_token stop, socket_t &s) {
  (void)watch(stop, [&s] { s.close(); });
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: this registration ends at the ';'
  co_return co_await receive();
}

task<int> endsTooEarly(std::stop_token stop, socket_t &s) {
  if (stop.stop_possible()) {
    std::stop_callback closes(stop, [&s] { s.close(); });
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'closes' ends with the block right behind it, so its callback is never called; declare it in the block of what it is to cancel
  }
  co_return co_await receive();
}

void plainFunction(std::stop_token stop, socket_t &s) {
  std::stop_callback{stop, [&s] { s.close(); }};
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this registration ends at the ';'
  // CHECK-FIXES: auto registration = std::stop_callback{stop, [&s] { s.close(); }};
}

// It lives as long as what it is to cancel.
task<int> named(std::stop_token stop, socket_t &s) {
  std::stop_callback closes(stop, [&s] { s.close(); });
  co_return co_await receive();
}
task<int> inBlock(std::stop_token stop, socket_t &s) {
  int value = 0;
  {
    std::stop_callback closes(stop, [&s] { s.close(); });
    value = co_await receive();
  }
  co_return value;
}
struct session {
  std::unique_ptr<std::stop_callback<std::function<void()>>> closes;
  void start(std::stop_token stop, socket_t &s) {
    closes = watch(stop, [&s] { s.close(); });
  }
};
task<int> suppressed(std::stop_token stop, socket_t &s) {
  // NOLINTNEXTLINE(async-dropped-cancellation-registration)
  (void)watch(stop, [&s] { s.close(); });
  co_return co_await receive();
}
