// The timers' interrupts as the data sheet has them (13.2.2, 16.11.8, 16.11.9).
//
// libsimavr 1.6 differs in two ways. It clears all flags of a timer that are set, whatever is
// written: an overflow that was pending beside a cleared compare match was lost, and with it a turn
// of the sketch's clock. And what has happened already does not come when it is enabled.
#pragma once

typedef struct avr_t avr_t;

namespace hocket::uno {

/// Once, after avr_init().
void mend_timer_interrupts(avr_t* avr);

}  // namespace hocket::uno
