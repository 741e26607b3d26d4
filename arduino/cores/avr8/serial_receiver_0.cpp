// The receive interrupt of Serial. Linked if some code reads it (arduino/api/serial_marks.h).
#include "arduino/cores/avr8/serial_port.h"

HOCKET_SERIAL_RECEIVER(0, hocket::uno::ReceivedRoom)
