// A 64-bit clock, and one alarm at any distance, from a counter of fewer bits.
//
//   seen_    [        64 bits: the latest reading        ]
//   counter                      [ kBits: 24, 32 … ]    later by the difference, modulo its range
//
// Every reading advances `seen_`. No interrupt counts overflows, so none can be pending, counted
// twice or lost: the clock is exact if interrupts are masked for less than the counter's range. The
// timer's interrupt comes at least every half range, whether requested or not, and reads the clock.
//
// What a counter supplies, with a compare interrupt (a timer that runs down to zero serves as
// well):
//   kBits, kTickHz     its width, and how fast it counts up
//   kLine              its interrupt line
//   start()            starts counting
//   count()            the count, modulo 2^kBits
//   alarm_at(count)    interrupts at this count, at most half the range from now; need not
//                      interrupt if the count has passed already
//   acknowledge()      clears its interrupt
#pragma once

#include <stdint.h>

#include "ports/contract/port.h"
#include "ports/cortex_m/system_control.h"

namespace hocket::cortex_m {

/// All functions: masked. (Unit tests pass another `Control`.)
template <class Counter, class Control = SystemControl>
class Clock {
  static_assert(Counter::kBits >= 16 && Counter::kBits <= 32);

 public:
  using Ticks = int64_t;

  static void start() {
    Counter::start();
    Control::enable(Counter::kLine);
    arm();
  }

  static Ticks now() {
    const uint32_t passed = (Counter::count() - static_cast<uint32_t>(seen_)) & kMask;
    return seen_ += passed;
  }

  static void alarm_set(Ticks instant) {
    alarm_ = instant;
    arm();
  }
  /// The counter may still interrupt; on_interrupt() then finds that no alarm is wanted.
  static void alarm_off() { alarm_ = kNone; }

  /// The counter's interrupt.
  static void on_interrupt() {
    Counter::acknowledge();
    if (now() >= alarm_) {
      alarm_ = kNone;
      hocket_timer_interrupt();
      if (alarm_ != kNone) return;  // alarm_set() has set the counter
    }
    arm();
  }

 private:
  static constexpr uint32_t kMask = UINT32_MAX >> (32 - Counter::kBits);
  static constexpr Ticks kHalfTurn = kMask / 2;
  static constexpr Ticks kNone = INT64_MAX;

  static void arm() {
    const Ticks farthest = now() + kHalfTurn;
    const Ticks next = alarm_ < farthest ? alarm_ : farthest;
    Counter::alarm_at(static_cast<uint32_t>(next) & kMask);
    // The instant may have passed before the counter was set.
    if (now() >= next) Control::pend(Counter::kLine);
  }

  inline static Ticks seen_ = 0;
  inline static Ticks alarm_ = kNone;
};

}  // namespace hocket::cortex_m
