// The receive interrupt of Serial. Linked if some code reads (arduino/api/serial_marks.h);
// otherwise the receiver is off.
#include <avr/io.h>

#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/serial_ring.h"
#include "ports/avr8/port.h"

// Symbols without an address, which tell whether this file is linked.
asm(".global hocket_serial_receiver, hocket_serial_receiver_0\n.set hocket_serial_receiver, 1\n"
    ".set hocket_serial_receiver_0, 1");
// Links the reading functions (arduino/api/serial_reading.cpp), which Serial's table of virtual
// functions does not.
asm(".global _ZN6hocket9BoardPort4readEv\n.reloc 0, R_AVR_NONE, _ZN6hocket9BoardPort4readEv");

HOCKET_AVR8_HANDLER(USART_RX_vect) {
  using namespace hocket::uno;
  const uint8_t byte = UDR0;
  if (!Received::full()) Received::put(byte);
#ifndef HOCKET_WITHOUT_LOOPS
  device_ended();
#endif
}
