// Pin-change interrupts of port J of a Mega: pins 14 and 15. A pin's bit in PCMSK1 is one higher
// than in the port, and so it is in the state (pin_changes.S).
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

// PINJ << 1, its two lowest bits: without a change of SREG, which is not saved yet.
HOCKET_PIN_CHANGES(J, 3, 1,
                   "push r25\n lds r24, 0x103\n ldi r25, 0\n sbrc r24, 0\n ldi r25, 2\n"
                   " sbrs r24, 1\n rjmp 1f\n ldi r25, 4\n sbrc r24, 0\n ldi r25, 6\n"
                   "1: mov r24, r25\n pop r25");
