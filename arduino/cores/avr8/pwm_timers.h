// Starts the clock's timer and timer 2 as init() does, for phase-correct PWM at 490 Hz
// (plain_init.S has the same values; ATmega328P data sheet, chapters 16 and 18).
#pragma once

#include <avr/io.h>

#include "ports/avr8/clock_timer.h"

namespace hocket::uno {

inline void give_clock_timer_to_pwm() {
  CLOCK_CONTROL_A = 1 << WGM10;
  CLOCK_CONTROL_B = (1 << CS11) | (1 << CS10);
}
inline void give_timer2_to_pwm() {
  TCCR2A = 1 << WGM20;
  TCCR2B = 1 << CS22;
}

#ifdef TCCR3A
/// Of an ATmega2560: the further timers beside the clock's.
inline void give_further_timers_to_pwm() {
  TCCR1A = TCCR3A = TCCR4A = 1 << WGM10;
  TCCR1B = TCCR3B = TCCR4B = (1 << CS11) | (1 << CS10);
}
#endif

}  // namespace hocket::uno
