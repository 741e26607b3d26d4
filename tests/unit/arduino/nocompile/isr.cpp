// refused: ISR.TIMER1_COMPA_vect. is an interrupt vector of an AVR chip
#include <Arduino.h>
ISR(TIMER1_COMPA_vect) {}
