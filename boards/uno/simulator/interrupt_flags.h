// Interrupt flags of the timers as the data sheet has them: writing a 1 clears that flag alone.
//
// libsimavr 1.6 clears all flags of a timer that are set, whatever is written: an overflow that was
// pending beside a cleared compare match was lost, and with it a turn of the sketch's clock.
#pragma once

typedef struct avr_t avr_t;

namespace hocket::uno {

/// Once, after avr_init().
void mend_interrupt_flags(avr_t* avr);

}  // namespace hocket::uno
