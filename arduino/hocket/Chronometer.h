// Chronometer: measures a span of time in microseconds.
//
//   Chronometer chron;
//   chron.start();  …  chron.stop();
//   Serial.println(chron.read());
//
// One loop at a time uses a chronometer; several may only read() one that is not changed.
// ("Temporal Event Management in EPOS", section 2.)
#pragma once

#include "hocket/Microsecond.h"

class Chronometer {
 public:
  using Microsecond = ::Microsecond;

  /// One that was never started measures from the board's start.
  constexpr Chronometer() = default;

  /// Counts from now on; what it had is gone. A call while it runs changes nothing.
  void start() {
    if (state_ == State::Running) return;
    start_ = hocket::sys::now_ns();
    state_ = State::Running;
  }
  /// Holds what it has.
  void stop() {
    if (state_ == State::Stopped) return;
    stop_ = hocket::sys::now_ns();
    state_ = State::Stopped;
  }
  /// As new.
  void reset() { *this = Chronometer(); }
  /// The time from start() to stop(), or until now, rounded down. Never blocks.
  Microsecond read() const {
    return ((state_ == State::Stopped ? stop_ : hocket::sys::now_ns()) - start_) / 1000;
  }

 private:
  enum class State : uint8_t { New, Running, Stopped };
  uint64_t start_ = 0;
  uint64_t stop_ = 0;
  State state_ = State::New;
};
