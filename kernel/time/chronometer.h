// A stopwatch. It counts ticks of a clock in 64 bits, and converts to microseconds only when read.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// `Clock` has now() in ticks, and kTicksPerMicrosecond. Only one loop at a time may use a
/// chronometer. Several loops may read() one that no loop changes. No call blocks.
template <class Clock>
class BasicChronometer {
 public:
  using Microsecond = uint64_t;

  /// A chronometer that was never started measures from the board's start.
  constexpr BasicChronometer() = default;

  /// Starts counting from now, and drops the former span. Does nothing while it runs.
  void start() {
    if (state_ == State::Running) return;
    start_ = Clock::now();
    state_ = State::Running;
  }
  /// Stops counting and keeps the span.
  void stop() {
    if (state_ == State::Stopped) return;
    stop_ = Clock::now();
    state_ = State::Stopped;
  }
  /// Returns to the initial state.
  void reset() { *this = BasicChronometer(); }
  /// Microseconds from start() to stop(), or until now, rounded down.
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
