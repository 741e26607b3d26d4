// Pin-change interrupts of port D: pins 0 to 7.
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

HOCKET_PIN_CHANGES(D, 8, 2, "in r24, 0x09");
