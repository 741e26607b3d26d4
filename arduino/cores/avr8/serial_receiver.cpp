// What comes in at Serial: the interrupt of each byte. Linked where some code reads
// (arduino/api/serial_marks.h), and where nobody does the receiver is off.
#include <avr/io.h>

#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/serial_ring.h"
#include "ports/avr8/port.h"

// For who asks whether it is there: a name without a place.
asm(".global hocket_serial_receiver\n.set hocket_serial_receiver, 1");
// It brings what reads (arduino/api/serial_reading.cpp): Serial's table of functions does not.
asm(".global _ZN6hocket9BoardPort4readEv\n.reloc 0, R_AVR_NONE, _ZN6hocket9BoardPort4readEv");

HOCKET_AVR8_HANDLER(USART_RX_vect) {
  using namespace hocket::uno;
  const uint8_t byte = UDR0;
  if (!Received::full()) Received::put(byte);
#ifndef HOCKET_WITHOUT_LOOPS
  device_ended();
#endif
}
