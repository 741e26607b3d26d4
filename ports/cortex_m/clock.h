// 64 bits of time, and one alarm at any distance, from a counter of fewer bits.
//
//   seen_    [        64 bits: the latest reading        ]
//   counter                      [ kBits: 24, 32 … ]    later by the difference, modulo a turn
//
// Every reading moves `seen_` on. So nothing is counted by an interrupt, and no overflow can be
// pending, counted twice or lost: it is exact however long interrupts are masked, as long as that
// is less than a turn. The timer's interrupt comes at least every half turn, wanted or not, and
// reads the clock.
//
// What a counter supplies, with a compare interrupt (a timer that runs down to zero is as good):
//   kBits, kTickHz     how wide it is, how fast it counts up
//   kLine              its interrupt
//   start()            counts from here on
//   count()            what it has counted, modulo 2^kBits
//   alarm_at(count)    interrupts when it has counted so far, at most half a turn from now; what
//                      has passed already need not interrupt
//   acknowledge()      its interrupt has been seen
#pragma once

#include <stdint.h>

#include "ports/contract/port.h"
#include "ports/cortex_m/system_control.h"

namespace hocket::cortex_m {

/// All functions: masked. (Unit tests have other registers than the processor's.)
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
  /// What the counter is set for already comes, and finds that nothing is wanted.
  static void alarm_off() { alarm_ = kNone; }

  /// The counter's interrupt.
  static void on_interrupt() {
    Counter::acknowledge();
    if (now() >= alarm_) {
      alarm_ = kNone;
      hocket_timer_interrupt();
      if (alarm_ != kNone) return;  // the counter is set for it
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
    // It may have passed before the counter knew of it.
    if (now() >= next) Control::pend(Counter::kLine);
  }

  inline static Ticks seen_ = 0;
  inline static Ticks alarm_ = kNone;
};

}  // namespace hocket::cortex_m
