// Storm control: what handlers of attachInterrupt() take together is limited, so that the loops
// keep their shares whatever comes in at the pins (docs/decisions/interrupts-on-a-budget.md).
//
//   handler ended → its time is counted → used up: the enable bits of all attached interrupts off
//                                       → at the refill: on again; what the flags kept comes then
//
// The time is that between two readings of the counter, around the handler, and what stands outside
// of them (kFrame). It is counted behind the handler: none begins later because of that. A handler
// that took more than there was has the next budgets used up, too.
//
// The refill comes with a match of timer 0 (compare A, wherever it is), whose interrupt is on only
// while something is held back: no clock of the kernel's is needed, and a sketch without a storm
// has nothing of it. Timer 0 counts 64 cycles a step, as for the PWM of pins 5 and 6, which does
// not suffer.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// The clock in units of 256 ticks, 128 us: a turn is 8 s.
using StormTime = uint16_t;

inline constexpr unsigned kStormTicks = 256;

struct Storm {
  uint16_t used;     // ticks of the budget
  StormTime since;   // when the budget was whole
  uint8_t attached;  // bits: EIMSK's two, then PCICR's three
  uint8_t held;      // of these, held back until the refill
  uint16_t times;    // how often
};

/// A handler has ended that began when the counter was at `began`. Masked.
extern "C" void hocket_handler_ended(uint16_t began);
extern "C" Storm hocket_storm;

inline constexpr uint8_t kFirstPort = 2;  // of Storm's bits

}  // namespace hocket::uno
