// Pin-change interrupts of port B: pins 8 to 13 of an Uno, 50 to 53 and 10 to 13 of a Mega.
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

#ifdef __AVR_ATmega2560__
HOCKET_PIN_CHANGES(B, 8, 0, "in r24, 0x03");
#else
HOCKET_PIN_CHANGES(B, 6, 0, "in r24, 0x03");
#endif
