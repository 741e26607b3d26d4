; The tables behind the macros of pin_ports.h and digitalPinToTimer(), which libraries for AVR read by their names.
; A program takes those that it reads.

#include <avr/io.h>

.macro table name
  .section .progmem.data.\name,"a",@progbits
  .global \name
  .type \name, @object
\name:
.endm

#ifdef __AVR_ATmega2560__
#include "arduino/cores/avr8/pin_tables_atmega2560.S"
#else
#include "arduino/cores/avr8/pin_tables_atmega328p.S"
#endif
