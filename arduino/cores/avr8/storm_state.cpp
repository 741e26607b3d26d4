// The attached interrupts and the state of storm control; also in programs without it (storm.h).
#include "arduino/cores/avr8/storm.h"

extern "C" hocket::uno::Storm hocket_storm;
hocket::uno::Storm hocket_storm;
