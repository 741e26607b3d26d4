// Pin-change interrupts of port B: pins 8 to 13.
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

HOCKET_PIN_CHANGES(B, 6, 0, 0x03);
