// RUN: %check %s async-unbudgeted-retry

// Points in time that are plain numbers bound a retry as those of <chrono> do.

#include "time/flow.h"

Future<int> ask();

Future<int> whileBefore() {
  double end = now() + 5.0;
  while (now() < end) {
    auto answer = co_await timeout(ask(), std::min(2.0, end - now()));
    if (answer)
      co_return *answer;
  }
  throw timed_out();
}

Future<int> whatIsLeft(double budget) {
  double deadline = now() + budget;
  for (int i = 0; i < 3; ++i) {
    double left = deadline - now();
    if (left <= 0)
      break;
    auto answer = co_await timeout(ask(), left);
    if (answer)
      co_return *answer;
  }
  throw timed_out();
}

Future<int> givenDeadline(double deadline) {
  for (int i = 0; i < 3 && now() < deadline; ++i) {
    auto answer = co_await timeout(ask(), 1.0);
    if (answer)
      co_return *answer;
  }
  throw timed_out();
}

Future<int> doWhile() {
  const double end = now() + 3.0;
  do {
    auto answer = co_await timeout(ask(), 1.0);
    if (answer)
      co_return *answer;
  } while (now() < end);
  throw timed_out();
}

Future<int> elapsed() {
  double start = now();
  for (int i = 0; i < 5; ++i) {
    if (now() - start > 3.0)
      break;
    auto answer = co_await timeout(ask(), 1.0);
    if (answer)
      co_return *answer;
  }
  throw timed_out();
}

Future<int> inTheHandler() {
  double end = now() + 6.0;
  while (true) {
    try {
      co_return co_await timeoutError(ask(), 2.0);
    } catch (Error &e) {
      if (e.code() != error_code_timed_out || now() >= end)
        throw;
    }
  }
}

// A deadline that each attempt sets anew bounds nothing.
Future<int> setAnew() {
  for (int i = 0; i < 3; ++i) {
    double end = now() + 2.0;
    auto answer = co_await timeout(ask(), end - now());
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 3 attempts of 2 s each can take 6 s; nothing limits the whole
    if (answer)
      co_return *answer;
  }
  throw timed_out();
}

// Some other number is no deadline.
Future<int> otherNumbers(double weight) {
  for (int i = 0; i < 3; ++i) {
    auto answer = co_await timeout(ask(), 1.0);
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 3 attempts of 1 s each can take 3 s
    if (answer && weight - 1.0 < 2.0)
      co_return *answer;
    if (answer)
      co_return 0;
  }
  throw timed_out();
}
