// Each category, called directly; the switches.
// RUN: %check %s async-blocking-call-in-coroutine --suffix DEFAULT
// RUN: %check %s async-blocking-call-in-coroutine --suffix OFF \
// RUN:   --option async-blocking-call-in-coroutine.Sleep=false \
// RUN:   --option async-blocking-call-in-coroutine.Sync=false \
// RUN:   --option async-blocking-call-in-coroutine.Future=false \
// RUN:   --option async-blocking-call-in-coroutine.Process=false \
// RUN:   --option async-blocking-call-in-coroutine.Net=false \
// RUN:   --option async-blocking-call-in-coroutine.Dns=false \
// RUN:   --option async-blocking-call-in-coroutine.Db=false \
// RUN:   --option async-blocking-call-in-coroutine.Fs=false \
// RUN:   --option async-blocking-call-in-coroutine.Stdio=false \
// RUN:   --option async-blocking-call-in-coroutine.Mutex=true \
// RUN:   --option async-blocking-call-in-coroutine.FsMetadata=true \
// RUN:   --option async-blocking-call-in-coroutine.Cpu=true
#include "blocking/loop.h"
#include <condition_variable>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <netdb.h>
#include <regex>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
using namespace std::chrono_literals;

struct sqlite3_stmt;
extern "C" int sqlite3_step(sqlite3_stmt *);

own::task<> sleeps() {
  std::this_thread::sleep_for(1s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_for' blocks the event loop's thread while it sleeps; use an awaitable timer of your event loop [async-blocking-call-in-coroutine]
  // CHECK-MESSAGES-DEFAULT: :[[@LINE+5]]:3: note: 'sleeps' is a coroutine because of this 'co_await'
  ::usleep(5);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::usleep' blocks
  std::this_thread::sleep_until(std::chrono::steady_clock::now() + 1s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'std::this_thread::sleep_until' blocks
  co_await own::io();
}

own::task<> synchronises(std::condition_variable &changed,
                         std::unique_lock<std::mutex> &hold, std::thread &t) {
  changed.wait(hold);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:11: warning: 'std::condition_variable::wait' blocks the event loop's thread until another thread acts; use an awaitable event, latch or channel
  t.join();
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:5: warning: 'std::thread::join' blocks
  co_await own::io();
}

own::task<> locks(std::mutex &m) {
  std::lock_guard<std::mutex> hold(m);
  // CHECK-MESSAGES-OFF: :[[@LINE-1]]:31: warning: constructing 'std::lock_guard' blocks the event loop's thread until the lock is free; use an awaitable mutex
  co_await own::io();
}

own::task<> tries(std::mutex &m, std::timed_mutex &t) {
  if (m.try_lock())
    m.unlock();
  std::unique_lock<std::mutex> later(m, std::defer_lock);
  if (t.try_lock_for(0s))
    t.unlock();
  co_await own::io();
}

own::task<int> waits(std::future<int> f) {
  // CHECK-MESSAGES-DEFAULT: :[[@LINE+1]]:15: warning: 'std::future::get' blocks the event loop's thread until the result is there; use a thread pool whose work can be awaited
  co_return f.get();
}

own::task<> runs() {
  std::system("make");
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::system' blocks the event loop's thread until the process is done; use an awaitable process API, or a thread pool
  co_await own::io();
}

own::task<> talks(int fd, int other, char *buffer) {
  ::recv(fd, buffer, 10, 0);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::recv' blocks the event loop's thread until the network is done; use an awaitable socket
  ::recv(other, buffer, 10, MSG_DONTWAIT);
  co_await own::io();
}

own::task<> resolves(addrinfo *out) {
  ::getaddrinfo("a", "b", nullptr, &out);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::getaddrinfo' blocks the event loop's thread until the name is resolved; use an awaitable resolver, or a thread pool
  co_await own::io();
}

own::task<> queries(sqlite3_stmt *s) {
  sqlite3_step(s);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::sqlite3_step' blocks the event loop's thread until the database answers; use a thread of its own for the database
  co_await own::io();
}

own::task<> reads(int fd, char *buffer) {
  ::read(fd, buffer, 10);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: '::read' blocks the event loop's thread until the file system is done; use an awaitable file API, or a thread pool
  co_await own::io();
}

own::task<bool> looks(std::string name) {
  // CHECK-MESSAGES-OFF: :[[@LINE+1]]:13: warning: 'std::filesystem::exists' blocks the event loop's thread until the file system is done
  co_return std::filesystem::exists(name);
}

own::task<> asks(std::string &answer, int &number) {
  std::getline(std::cin, answer);
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:3: warning: 'std::cin' blocks the event loop's thread until there is input; use an awaitable stream, or a thread of its own
  std::cin >> number;
  // CHECK-MESSAGES-DEFAULT: :[[@LINE-1]]:12: warning: 'std::cin' blocks
  std::cin.tie(nullptr);
  co_await own::io();
}

own::task<bool> computes(std::string text, const std::regex &pattern) {
  // CHECK-MESSAGES-OFF: :[[@LINE+1]]:13: warning: 'std::regex_match' blocks the event loop's thread while it computes
  co_return std::regex_match(text, pattern);
}
