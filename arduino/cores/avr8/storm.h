// Storm control: what handlers of attachInterrupt() take together is limited, so that the loops
// keep their shares whatever comes in at the pins (docs/decisions/interrupts-on-a-budget.md).
//
//   handler ended → its time is counted → used up: the enable bits of all attached interrupts off
//                                       → at the refill: on again; what the flags kept comes then
//
// They come on one after the other, a match of timer 0 apart: each time the next line in a round
// whose flag is set, and all of the rest when none is. The processor takes the lowest vector first,
// so all at once would give each budget to the same line.
//
// The time is that between two readings of the counter, around the handler, and what stands outside
// of them (kFrame). It is counted behind the handler: none begins later because of that. A handler
// that took more than there was has the next budgets used up, too: as many as make up for it, or
// for 32.7 ms, which is all that is counted.
//
// The refill comes with a match of timer 0 (compare A, wherever it is), whose interrupt is on only
// while something is held back: no clock of the kernel's is needed, and a sketch without a storm
// has nothing of it. Timer 0 counts 64 cycles a step, as for the PWM of pins 5 and 6, which does
// not suffer. A sketch that has set it otherwise finds it so from then on.
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/storm_costs.h"
#include "arduino/cores/avr8/woken_behind.h"

namespace hocket::uno {

/// The clock in units of 256 ticks, 128 us. A turn is six days: who has used a budget up just as
/// long ago waits for a period too much.
using StormTime = uint32_t;
inline constexpr unsigned kStormTicks = 256;

struct [[gnu::packed]] Storm {
  uint16_t used;     // ticks of the budget; what would be more than 0xffff is that
  uint16_t times;    // how often it was used up
  StormTime since;   // when the budget was whole
  uint8_t attached;  // bits: EIMSK's two, then PCICR's three
  uint8_t held;      // of these, held back until the refill
  uint8_t turn;      // of these, the one that came on last by itself
};

/// A handler has ended that began when the counter was at `began` and the clock's flags were
/// `flags` (TIFR1). Masked. Nothing limits handlers in a sketch without declared loops, where
/// nobody has a share to keep: it is not linked then.
extern "C" void hocket_handler_ended(uint16_t began, uint8_t flags);
/// Its second half, where all of the budget is used. (switch.S has the first half of its own for
/// pins 2 and 3.)
extern "C" void hocket_look_at_handlers();
extern "C" Storm hocket_storm;  // storm_state.cpp

/// The way in and out, outside of the two readings: up to 240 cycles.
inline constexpr uint16_t kFrame = 30;
/// Loops that wait between noInterrupts() and interrupts(). Interrupts are on while others run, so
/// the lines of attached handlers are closed meanwhile: handlers wait for the sections' end. An
/// edge waits for no more matches of timer 0 than the longest of these sections may take, also
/// where a loop waits again and again in one section.
struct [[gnu::packed]] WaitingSections {
  uint8_t loops;     // bits, in the order of their entries; none where handlers have gone on
  uint8_t closed;    // of Storm's bits
  uint8_t loop;      // of those that wait, the one that may take longest
  uint16_t limit;    // matches that it may take
  uint8_t overdue;   // the loop that was too long, the last one
  uint8_t times;     // 255: or more
  uint16_t most;     // matches that a section was to take
  uint16_t matches;  // for which an edge has been kept waiting
  uint16_t used;     // by handlers, when the last loop went on: Storm::used
};
extern "C" WaitingSections hocket_waiting_sections;
/// The running loop waits in its section, and goes on. Masked.
extern "C" void hocket_section_waits();
extern "C" void hocket_section_goes_on();
/// Of the running loop (kernel.cpp).
struct LoopInSection {
  uint8_t id;
  uint8_t bit;
  uint16_t matches;  // that it may take
};
extern "C" void hocket_loop_in_section(LoopInSection* loop);
/// So many ticks of the running loop's turn were a handler's: they are not its own. Masked.
/// (kernel.cpp)
extern "C" void hocket_pass_over(uint16_t took);
inline constexpr uint8_t kFirstPort = 2;  // of Storm's bits

/// Once in each file that attaches handlers: the refill's interrupt. (Such a file and the kernel
/// together link the refill, neither of them alone: switch.S.)
#define HOCKET_REFILL_VECTOR                                                                \
  asm(".section .text.hocket_refill_vector,\"axG\",@progbits,hocket_refill_vector,comdat\n" \
      ".weak hocket_refill_vector, hocket_refill\n"                                         \
      ".global __vector_14\n"                                                               \
      "hocket_refill_vector:\n__vector_14:\n"                                               \
      " jmp hocket_refill\n"                                                                \
      " .text\n"                                                                            \
      ".weak hocket_has_handlers\n.set hocket_has_handlers, 1\n" HOCKET_HANDLERS_WAKE);

}  // namespace hocket::uno
