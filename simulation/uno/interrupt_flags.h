// The interrupts of timers and pins as the data sheet has them (13.2, 16.11.8, 16.11.9).
//
// libsimavr 1.6 differs in three ways. It clears all flags of a timer that are set, whatever is
// written: an overflow that was pending beside a cleared compare match was lost, and with it a turn
// of the sketch's clock. What has happened already does not come when it is enabled. And a
// one that is written to a pin's flag sets it.
#pragma once

typedef struct avr_t avr_t;

namespace hocket::uno {

/// Once, after avr_init().
void mend_interrupts(avr_t* avr);

}  // namespace hocket::uno
