//===--- gateway.h - The caller of a request --------------------*- C++ -*-===//
//
// Plays the gateway in front of the crawler: starts a request, cancels it when
// its time is up, and notes what came back, when, and for how long the loop
// stood still meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef CRAWLER_GATEWAY_H
#define CRAWLER_GATEWAY_H

#include "asio.h"
#include <algorithm>
#include <exception>
#include <optional>

namespace crawler {

/// How a request ended.
template <class T> struct Outcome {
  std::optional<T> Answer; ///< nothing when it failed or was cancelled
  bool Cancelled = false;
  Clock::duration Took{};       ///< from the start of the request
  Clock::duration LongestGap{}; ///< the loop's longest stretch without progress
};

/// Beats on \p Loop each 20 ms until told to stop, and keeps the longest time
/// between two beats.
class Heartbeat {
public:
  explicit Heartbeat(asio::io_context &Loop) : Timer(Loop) {}

  void start() {
    Last = Clock::now();
    beat();
  }
  void stop() {
    Timer.cancel();
    Stopped = true;
    note();
  }
  Clock::duration longest() const { return Longest; }

private:
  void note() {
    Clock::time_point Now = Clock::now();
    Longest = std::max(Longest, Now - Last);
    Last = Now;
  }
  void beat() {
    Timer.expires_after(20ms);
    Timer.async_wait([this](boost::system::error_code) {
      if (Stopped)
        return;
      note();
      beat();
    });
  }

  asio::steady_timer Timer;
  Clock::time_point Last;
  Clock::duration Longest{};
  bool Stopped = false;
};

/// Whether \p Failure says that the request was told to stop.
inline bool isCancellation(std::exception_ptr Failure) {
  try {
    std::rethrow_exception(Failure);
  } catch (const boost::system::system_error &Error) {
    return Error.code() == asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

/// Runs \p Request to its end. After \p Limit it is cancelled, as by a client
/// that hangs up; without a limit nobody interferes.
template <class T>
Outcome<T> ask(asio::awaitable<T> Request,
               std::optional<Clock::duration> Limit = std::nullopt) {
  asio::io_context Loop(1);
  asio::cancellation_signal HangUp;
  asio::steady_timer Timer(Loop);
  Heartbeat Beat(Loop);
  Outcome<T> Result;

  Clock::time_point Start = Clock::now();
  Beat.start();
  if (Limit) {
    Timer.expires_after(*Limit);
    Timer.async_wait([&](boost::system::error_code Error) {
      if (!Error)
        HangUp.emit(asio::cancellation_type::terminal);
    });
  }
  asio::co_spawn(Loop, std::move(Request),
                 asio::bind_cancellation_slot(
                     HangUp.slot(), [&](std::exception_ptr Failure, T Answer) {
                       Result.Took = Clock::now() - Start;
                       Timer.cancel();
                       Beat.stop();
                       if (!Failure)
                         Result.Answer = std::move(Answer);
                       else
                         Result.Cancelled = isCancellation(Failure);
                     }));
  Loop.run();
  Result.LongestGap = Beat.longest();
  return Result;
}

} // namespace crawler

#endif // CRAWLER_GATEWAY_H
