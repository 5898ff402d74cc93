// Sockets and descriptors in non-blocking mode do not block.
// RUN: %check %s async-blocking-call-in-coroutine
#include "blocking/loop.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

asio::awaitable<> blocking(asio::tcp::socket socket, char *buffer) {
  asio::error_code ec;
  co_await socket.async_read_some(buffer, asio::use_awaitable);
  socket.read_some(buffer, ec);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'asio::tcp::socket::read_some' blocks the event loop's thread until the network is done; use the async_ function of the same name with asio::use_awaitable
}

asio::awaitable<> tries(asio::tcp::socket socket, char *buffer) {
  asio::error_code ec;
  socket.read_some(buffer, ec);
  if (ec == asio::error::would_block)
    co_await socket.async_read_some(buffer, asio::use_awaitable);
}

own::task<int> drains(int fd, char *buffer) {
  int n = ::recv(fd, buffer, 10, 0);
  if (n < 0 && errno == EAGAIN)
    co_await own::io();
  co_return n;
}

own::task<> readable(int fd);
own::task<> polls(int fd, int other, char *buffer) {
  co_await readable(fd);
  ::read(fd, buffer, 10);
  ::read(other, buffer, 10);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '::read' blocks
}

own::task<int> opens(const char *path) {
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: '::open' blocks
  int fd = ::open(path, O_RDONLY);
  char c;
  ::read(fd, &c, 1); // the same fault
  co_return ::open(path, O_RDONLY | O_NONBLOCK);
}

// A function of that name which is not the system's.
namespace db {
int connect(const char *, int, int);
int read(int, void *, int);
} // namespace db
own::task<int> named(int pause) {
  char c;
  co_return db::connect("a", 1, 2) + db::read(1, &c, pause);
}
