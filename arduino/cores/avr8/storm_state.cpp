// Which interrupts have handlers, and how storm control stands: also where there is none (storm.h).
#include "arduino/cores/avr8/storm.h"

extern "C" hocket::uno::Storm hocket_storm;
hocket::uno::Storm hocket_storm;
