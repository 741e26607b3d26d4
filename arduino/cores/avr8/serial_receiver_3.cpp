// The receive interrupt of Serial3. Linked if some code reads it (arduino/api/serial_marks.h).
#include "arduino/cores/avr8/serial_port.h"

HOCKET_SERIAL_RECEIVER(3, hocket::uno::ReceivedRoom3)
