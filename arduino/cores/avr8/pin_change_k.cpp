// Pin-change interrupts of port K of a Mega: A8 to A15.
#include "arduino/cores/avr8/pin_change.h"
#include "pins_arduino.h"

HOCKET_PIN_CHANGES(K, 8, 2, "lds r24, 0x106");
