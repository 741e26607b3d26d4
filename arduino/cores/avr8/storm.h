// Storm control limits the common processor time of handlers of attachInterrupt(), so that loops
// keep their shares whatever happens at the pins (docs/decisions/interrupts-on-a-budget.md).
//
//   handler ended → its time is counted → used up: all attached interrupts are disabled
//                                       → at the refill: on again; what the flags kept comes then
//
// The lines are enabled one at a time, a match of timer 0 apart. Each time it is the next pending
// line in round-robin order; when none is pending, all remaining lines are enabled. The processor
// serves the lowest vector first, so enabling all at once would give each budget to the same line.
// If a transaction on the SPI bus keeps the next line masked (SPI.usingInterrupt()), the line is
// enabled at the end of the transaction, and no other line before it.
//
// The time is measured between two readings of the counter around the handler, plus the time
// outside of them (kFrame). Holding lines back, and the matches of timer 0 meanwhile, are charged
// to the same budget. None of it is the interrupted loop's time: the loop's limit moves by it. It
// is counted after the handler, so that no handler begins later because of it. A handler that takes
// more than is left also uses up the following budgets, up to 32.7 ms, which is the most that can
// be counted.
//
// The refill is triggered by a match of timer 0 (compare A, wherever it is). Its interrupt is
// enabled only while something is held back, so no kernel clock is needed, and a sketch without a
// storm has no overhead. Timer 0 counts 64 cycles per step, as for the PWM of pins 5 and 6, which
// is not affected. If the sketch has changed that, storm control sets it back.
#pragma once

#include <stdint.h>

#include "arduino/cores/avr8/assembler_numbers.h"
#include "arduino/cores/avr8/chip.h"
#include "arduino/cores/avr8/loop_set.h"
#include "arduino/cores/avr8/storm_costs.h"
#include "arduino/cores/avr8/woken_behind.h"
#include "ports/avr8/switch_numbers.h"

namespace hocket::uno {

/// The clock in units of 256 ticks, 128 us. It wraps after six days. A budget that was used up
/// exactly that long ago waits for one period too many.
using StormTime = uint32_t;
inline constexpr unsigned kStormTicks = 256;

/// `Set`: of lines (chips.h).
template <class Set>
struct [[gnu::packed]] StormOf {
  uint16_t used;    // ticks of the budget; saturates at 0xffff
  uint16_t times;   // how often it was used up
  StormTime since;  // when the budget was whole
  Set attached;     // bits: those of EIMSK, then the three of PCICR
  Set held;         // those of them that are held back until the refill
  Set turn;         // the one of them that was last enabled alone
};
using Storm = StormOf<LineSet>;

/// A handler has ended that began when the clock's counter was `began` and its flags `flags`.
/// Masked. In a sketch without declared loops nothing limits handlers, and this is not linked.
extern "C" void hocket_handler_ended(uint16_t began, uint8_t flags);
/// Its second half, if the whole budget is used; returns the ticks that it takes. (For pins 2 and
/// 3, switch.S has its own first half.)
extern "C" uint16_t hocket_look_at_handlers();
extern "C" Storm hocket_storm;  // storm_state.cpp

static_assert(HOCKET_PIN_FRAME <= kFrame);  // (switch.S charges it)
/// Loops that wait between noInterrupts() and interrupts(). Interrupts are enabled while other
/// loops run, so the lines of attached handlers are masked meanwhile: handlers wait for the end of
/// the section. An edge waits at most as many matches of timer 0 as the longest of these sections
/// may take, even if a loop waits several times in one section.
template <class Set, unsigned kLoops>
struct [[gnu::packed]] WaitingSectionsOf {
  LoopSet<kLoops> loops;  // none if handlers have gone on
  Set closed;        // Storm's bits; those that a transaction keeps masked after the section, and
                     // kOverdue (storm.cpp)
  uint8_t loop;      // the waiting loop whose section may take longest
  uint16_t limit;    // matches that it may take
  uint8_t overdue;   // the last loop whose section was too long
  uint8_t times;     // 255: 255 or more
  uint16_t most;     // matches that its section was allowed
  uint16_t matches;  // for which an edge has been kept waiting
  uint16_t used;     // Storm::used when the last loop went on
};
using WaitingSections = WaitingSectionsOf<LineSet, Chip::kMostLoops>;
extern "C" WaitingSections hocket_waiting_sections;
/// The running loop waits in its section; the running loop goes on. Masked.
extern "C" void hocket_section_waits();
extern "C" void hocket_section_goes_on();
/// A transaction on the SPI bus has ended, after which these lines are enabled (spi_bus.cpp).
/// Masked.
extern "C" void hocket_transaction_ended(uint8_t opens);
/// The section data of the running loop (kernel.cpp).
struct LoopInSection {
  uint8_t id;
  LoopSet<Chip::kMostLoops>::Mark mark;
  uint16_t matches;  // that its section may take
};
extern "C" void hocket_loop_in_section(LoopInSection* loop);
/// `took` ticks of the running loop's time were a handler's and are not charged to the loop.
/// Masked. (kernel.cpp)
extern "C" void hocket_pass_over(uint16_t took);
/// Index of the first port among Storm's bits.
inline constexpr uint8_t kFirstPort = kExternalLines;
static_assert(kFirstPort == HOCKET_FIRST_PORT);

#ifdef __AVR_ATmega2560__
#define HOCKET_REFILL_VECTOR_NAME "__vector_21"
#else
#define HOCKET_REFILL_VECTOR_NAME "__vector_14"
#endif
/// Once in each file that attaches handlers: the vector of the refill. (The refill is linked if
/// both such a file and the kernel are: switch.S.)
#define HOCKET_REFILL_VECTOR                                                                \
  asm(".section .text.hocket_refill_vector,\"axG\",@progbits,hocket_refill_vector,comdat\n" \
      ".weak hocket_refill_vector, hocket_refill\n"                                         \
      ".global " HOCKET_REFILL_VECTOR_NAME                                                  \
      "\n"                                                                                  \
      "hocket_refill_vector:\n" HOCKET_REFILL_VECTOR_NAME                                   \
      ":\n"                                                                                 \
      " jmp hocket_refill\n"                                                                \
      " .text\n"                                                                            \
      ".weak hocket_has_handlers\n.set hocket_has_handlers, 1\n" HOCKET_HANDLERS_WAKE);

}  // namespace hocket::uno
