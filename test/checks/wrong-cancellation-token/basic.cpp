// RUN: %check %s async-wrong-cancellation-token

#include "tokens/stop.h"

task<int> load(int key, std::stop_token stop);

task<int> emptyToken(std::stop_token stop) {
  std::stop_token token;
  co_return co_await load(1, token);
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: 'token' is empty and never cancelled; 'stop' is the token of this work [async-wrong-cancellation-token]
}

task<int> asksTheOther(std::stop_token client, std::stop_token server) {
  try {
    co_return co_await load(1, client);
  } catch (...) {
    if (server.stop_requested())
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: this asks 'server', but the work in the 'try' was given 'client'
      throw;
  }
  co_return 0;
}

// Filled later, or by somebody else.
void fill(std::stop_token &token);
task<int> filled(std::stop_token stop) {
  std::stop_token token;
  fill(token);
  co_return co_await load(1, token);
}
task<int> assigned(std::stop_token stop, bool patient) {
  std::stop_token token;
  if (!patient)
    token = stop;
  co_return co_await load(1, token);
}

// The name or the type says that it is on purpose.
task<int> onPurpose(std::stop_token stop) {
  const std::stop_token detached;
  std::stop_token never;
  co_return co_await load(1, never) + co_await load(2, detached);
}

// There is no other.
task<int> alone() {
  std::stop_token token;
  co_return co_await load(1, token);
}

task<int> asksItsOwn(std::stop_token client, std::stop_token server) {
  try {
    co_return co_await load(1, client);
  } catch (...) {
    if (client.stop_requested())
      throw;
  }
  co_return co_await load(2, server);
}

task<int> asksBoth(std::stop_token client, std::stop_token server) {
  try {
    co_return co_await load(1, client);
  } catch (...) {
    if (client.stop_requested() || server.stop_requested())
      throw;
  }
  co_return 0;
}

// Made of the other: asking the one is as good.
task<int> linked(std::stop_token outer) {
  std::stop_source inner;
  std::stop_callback link(outer, [&inner] { inner.request_stop(); });
  try {
    co_return co_await load(1, inner.get_token());
  } catch (...) {
    if (outer.stop_requested())
      throw;
  }
  co_return 0;
}
