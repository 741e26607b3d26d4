// PWM on pins 9 and 10 by the compare units of timer 1, which is the clock and goes on counting.
//
// In sketches without loops only: the kernel has these units for its alarm and its interrupt.
#pragma once

#include <stdint.h>

namespace hocket::uno {

#ifdef HOCKET_WITHOUT_LOOPS
inline constexpr bool kClockMakesPwm = true;
#else
inline constexpr bool kClockMakesPwm = false;
#endif

/// 488 Hz on pin 9 or 10 from now on; `duty`: 1 to 255, in 256ths. Any context.
void clock_pwm(uint8_t pin, uint8_t duty);

}  // namespace hocket::uno
