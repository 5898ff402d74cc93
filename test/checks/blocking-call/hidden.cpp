// What blocks without looking like a call.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>
#include <unistd.h>

int work();

own::task<> opens(std::string name) {
  std::ifstream in(name);
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: constructing 'std::ifstream' blocks the event loop's thread until the file system is done
  // Reading what was opened above is the same fault.
  std::string line;
  while (std::getline(in, line))
    co_await own::io();
}

own::task<> opensLater(std::string name) {
  std::ofstream out;
  out.open(name);
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'std::ofstream::open' blocks
  auto more = std::make_unique<std::ofstream>(name);
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: constructing 'std::basic_ofstream' blocks
  co_await own::io();
}

own::task<std::string> memoryOnly(std::string name) {
  std::ofstream unopened;
  std::stringstream text(name);
  std::string word;
  text >> word;
  co_await own::io();
  co_return word;
}

own::task<> iterates() {
  for (const auto &entry : std::filesystem::directory_iterator("/tmp"))
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: constructing 'std::filesystem::directory_iterator' blocks
    co_await own::io();
}

// A loop whose operators do it.
struct rows {
  struct cursor {
    int operator*() const;
    cursor &operator++() {
      ::sleep(1);
      return *this;
    }
    bool operator!=(const cursor &) const;
  };
  cursor begin();
  cursor end();
};

own::task<int> fetches(rows all) {
  int sum = 0;
  for (int row : all)
    // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: this loop's 'rows::cursor::operator++' ends up in '::sleep', which blocks the event loop's thread while it sleeps
    sum += row;
  co_return sum;
}

own::task<> drops() {
  std::async(std::launch::async, work);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: dropping the result of 'std::async' blocks the event loop's thread until the result is there; use a thread pool whose work can be awaited
  (void)std::async(work);
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: dropping the result of 'std::async' blocks
  auto kept = std::async(std::launch::async, work);
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: destroying 'kept', the result of 'std::async', blocks
  co_await own::io();
}

struct jobs {
  std::vector<std::future<int>> all;
};
own::task<std::future<int>> passesOn(jobs &known) {
  auto first = std::async(work);
  known.all.push_back(std::move(first));
  known.all.push_back(std::async(work));
  auto second = std::async(work);
  co_await own::io();
  co_return std::move(second);
}

own::task<> joins() {
  std::jthread scan(work);
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: destroying 'scan' ('std::jthread::~jthread') blocks the event loop's thread until another thread acts
  std::jthread freed(work);
  freed.detach();
  std::jthread none;
  std::vector<std::jthread> many;
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: destroying 'many' ('std::jthread::~jthread') blocks
  many.emplace_back(work);
  co_await own::io();
}

// Destructors of members, which nobody wrote.
struct joined {
  std::thread thread;
  ~joined() { thread.join(); }
};
struct server {
  std::optional<joined> worker;
};

own::task<> serves() {
  server one;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: destroying 'one' ('server::~server') ends up in 'std::thread::join', which blocks the event loop's thread until another thread acts
  // CHECK-MESSAGES: :[[@LINE-6]]:25: note: 'server::~server' destroys 'worker' ('joined::~joined')
  // CHECK-MESSAGES: :[[@LINE-10]]:22: note: 'joined::~joined' calls 'std::thread::join', which blocks
  co_await own::io();
  joined{};
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: destroying this temporary ('joined::~joined') ends up in 'std::thread::join'
}

// Constructors: initialisers and default member initialisers.
struct settings {
  std::ifstream file{"settings"};
};
struct cache {
  explicit cache(int fd) : first(load(fd)) {}
  static int load(int fd) {
    char c;
    return ::read(fd, &c, 1);
  }
  int first;
};
own::task<> constructs() {
  settings s;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: constructing 'settings' ends up in 'std::ifstream', which blocks
  cache c(3);
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: constructing 'cache' ends up in '::read', which blocks
  co_await own::io();
}

// An awaiter of this file that blocks instead of suspending.
struct nap {
  bool await_ready() {
    ::sleep(1);
    return true;
  }
  void await_suspend(std::coroutine_handle<>) {}
  void await_resume() {}
};
own::task<> naps() {
  co_await nap{};
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the awaiter's 'nap::await_ready' ends up in '::sleep', which blocks
  co_await std::suspend_never{};
}
