// RUN: %check %s async-dropped-cancellation-token

#include "tokens/seastar.h"
#include "tokens/stop.h"

using namespace std::chrono_literals;
using seastar::abort_source;
using seastar::future;

future<int> fetch(abort_source &as);
task<int> load(int key, std::stop_token stop = {});

// Passed, in whatever way.
future<> passed(seastar::semaphore &slots, abort_source &as) {
  auto units = co_await seastar::get_units(slots, 1, as);
  co_await slots.wait(as, 1);
  co_await seastar::sleep_abortable(1s, as);
}
task<int> emptyOnPurpose(std::stop_token stop) {
  int a = co_await load(1, stop);
  co_return a + co_await load(2, std::stop_token{});
}

// No token here.
future<> none(seastar::semaphore &slots) {
  auto units = co_await seastar::get_units(slots, 1);
  co_await seastar::sleep(1s);
}

// A member that this function has nothing to do with.
struct server {
  abort_source _as;
  future<> handle(seastar::semaphore &slots) {
    auto units = co_await seastar::get_units(slots, 1);
  }
};

// A lambda has what it captures.
future<> lambda(abort_source &as) {
  auto pause = []() -> future<> { co_await seastar::sleep(2s); };
  co_await pause();
  co_await fetch(as);
}

// Something else ends the wait.
future<> raced(abort_source &as) {
  co_await seastar::when_any(seastar::sleep(5s), fetch(as));
}
future<> limited(seastar::semaphore &slots, abort_source &as) {
  auto until = seastar::lowres_clock::now() + 1s;
  co_await seastar::with_timeout(until, seastar::get_units(slots, 1));
  co_await fetch(as);
}

// Too short to be worth a token; a poller asks it in time.
future<> shortPause(abort_source &as) {
  co_await seastar::sleep(10ms);
  co_await fetch(as);
}
future<> poller(abort_source &as) {
  while (!as.abort_requested())
    co_await seastar::sleep(500ms);
}

// Tidying up must not stop half way.
struct pool {
  abort_source _as;
  seastar::semaphore _slots;
  future<> stop() {
    _as.request_abort();
    co_await seastar::get_units(_slots, 10);
  }
  future<> close_all(abort_source &as) {
    co_await seastar::sleep(1s);
    as.check();
  }
  future<> flush(int);
  future<> flush(int, abort_source &);
  future<> work() {
    std::exception_ptr failed;
    try {
      co_await fetch(_as);
    } catch (...) {
      failed = std::current_exception();
    }
    co_await flush(1);
    if (failed)
      std::rethrow_exception(failed);
  }
  future<> leave() {
    if (_as.abort_requested()) {
      co_await flush(1);
      co_return;
    }
    co_await flush(1, _as);
  }
};

// The overload without a token is made of the one that has it.
future<int> read(int key, abort_source &as);
future<int> read(int key) {
  abort_source none;
  return read(key, none);
}
future<int> read(int key, abort_source &as) {
  as.check();
  co_return co_await read(key);
}

// Overloads that cannot be used, or are about something else.
future<> send(int);
[[deprecated]] future<> send(int, abort_source &);
future<> store(int);
future<> store(long, abort_source &);
struct sealed {
  future<> put(int);

private:
  future<> put(int, abort_source &);
};
future<> unusable(sealed &s, abort_source &as) {
  co_await send(1);
  co_await store(1);
  co_await s.put(1);
  co_await fetch(as);
}

// A const reference cannot be given to who wants more.
future<> constant(seastar::semaphore &slots, const abort_source &as) {
  while (!as.abort_requested())
    auto units = co_await seastar::get_units(slots, 1);
}

// Signatures that somebody else made.
struct job {
  virtual future<int> run(abort_source &as) = 0;
};
struct simple : job {
  future<int> compute(int);
  future<int> run(abort_source &as) override {
    co_return co_await compute(1);
  }
};
future<int> named(int key, [[maybe_unused]] abort_source &as) {
  co_return co_await seastar::make_ready_future<int>();
}
future<int> unnamed(int key, abort_source &) {
  co_return co_await seastar::make_ready_future<int>();
}

// It cancels others with it.
task<> pause(int seconds, std::stop_token stop = {});
task<> cancelLater(std::stop_source source) {
  co_await pause(1);
  source.request_stop();
}

// Kept, or asked for what it has: nobody waits here.
namespace seastar {
struct shared_promise {
  future<> get_shared_future();
  future<> get_shared_future(abort_source &);
};
} // namespace seastar
struct joined {
  abort_source &_as;
  seastar::shared_promise _done;
  seastar::semaphore _slots, _turns;
  future<> _pending;
  future<> keeps() {
    _pending = _done.get_shared_future();
    co_await seastar::sleep_abortable(1s, _as);
  }
  future<> asks() {
    co_await seastar::sleep_abortable(1s, _as);
    if (_done.get_shared_future().failed())
      throw _done.get_shared_future().get_exception();
  }
  // Those who wait are woken by what stops the object.
  future<> waits() {
    co_await _slots.wait(1);
    co_await seastar::sleep_abortable(1s, _as);
  }
  void stop() { _slots.broken(); }
};
