// A stop watch. It counts ticks of a clock in 64 bits and converts once, when it is read.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// `Clock`: now() in ticks, and kTicksPerMicrosecond. One loop at a time uses a chronometer;
/// several may only read() one that no loop changes. No call blocks.
template <class Clock>
class BasicChronometer {
 public:
  using Microsecond = uint64_t;

  /// One that was never started measures from the board's start.
  constexpr BasicChronometer() = default;

  /// Counts from now on; the former span is gone. A call while it runs changes nothing.
  void start() {
    if (state_ == State::Running) return;
    start_ = Clock::now();
    state_ = State::Running;
  }
  /// Holds its span.
  void stop() {
    if (state_ == State::Stopped) return;
    stop_ = Clock::now();
    state_ = State::Stopped;
  }
  /// As new.
  void reset() { *this = BasicChronometer(); }
  /// The time from start() to stop(), or until now, rounded down.
  Microsecond read() const {
    return ((state_ == State::Stopped ? stop_ : Clock::now()) - start_) /
           Clock::kTicksPerMicrosecond;
  }

 private:
  enum class State : uint8_t { New, Running, Stopped };
  uint64_t start_ = 0;
  uint64_t stop_ = 0;
  State state_ = State::New;
};

}  // namespace hocket
