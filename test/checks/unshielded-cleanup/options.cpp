// RUN: %check %s async-unshielded-cleanup \
// RUN:   --option async-unshielded-cleanup.CancelImmune='undo' \
// RUN:   --option async-unshielded-cleanup.ShieldFunctions='db::uncancelled'

#include "cancellation/asio.h"

using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

awaitable<> undo(tcp::socket &);
awaitable<> retreat(tcp::socket &);
namespace db {
awaitable<> uncancelled(awaitable<>);
}

awaitable<> immune(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await undo(s);
    std::rethrow_exception(failed);
  }
}

awaitable<> wrapped(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await db::uncancelled(retreat(s));
    std::rethrow_exception(failed);
  }
}

awaitable<> neither(tcp::socket &s) {
  std::exception_ptr failed;
  try {
    co_await s.async_read_some(use_awaitable);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) {
    co_await retreat(s);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this cleanup does not run
    // CHECK-FIXES: co_await asio::this_coro::reset_cancellation_state(); co_await retreat(s);
    std::rethrow_exception(failed);
  }
}
