// Pin-change interrupts of port C: pins 14 to 19.
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

HOCKET_PIN_CHANGES(C, 6, 1, "in r24, 0x06");
