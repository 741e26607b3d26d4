// digitalPinToTimer() with the timers that an Arduino Mega has at its pins.
#pragma once

#include "arduino/variants/timer_names.h"
#define digitalPinToTimer(pin) \
  ((pin) == 2    ? TIMER3B     \
   : (pin) == 3  ? TIMER3C     \
   : (pin) == 4  ? TIMER0B     \
   : (pin) == 5  ? TIMER3A     \
   : (pin) == 6  ? TIMER4A     \
   : (pin) == 7  ? TIMER4B     \
   : (pin) == 8  ? TIMER4C     \
   : (pin) == 9  ? TIMER2B     \
   : (pin) == 10 ? TIMER2A     \
   : (pin) == 11 ? TIMER1A     \
   : (pin) == 12 ? TIMER1B     \
   : (pin) == 13 ? TIMER0A     \
   : (pin) == 44 ? TIMER5C     \
   : (pin) == 45 ? TIMER5B     \
   : (pin) == 46 ? TIMER5A     \
                 : NOT_ON_TIMER)
