// Starts timers 1 and 2 as init() does, for phase-correct PWM at 490 Hz (plain_init.S has the same
// values; ATmega328P data sheet, chapters 16 and 18).
#pragma once

#include <avr/io.h>

namespace hocket::uno {

inline void give_timer1_to_pwm() {
  TCCR1A = 1 << WGM10;
  TCCR1B = (1 << CS11) | (1 << CS10);
}
inline void give_timer2_to_pwm() {
  TCCR2A = 1 << WGM20;
  TCCR2B = 1 << CS22;
}

}  // namespace hocket::uno
