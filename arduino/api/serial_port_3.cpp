// Serial3 of an AVR with several serial ports.
#if defined(__AVR__) && !defined(HOCKET_ONE_SERIAL_PORT)
#include "arduino/api/serial_object.h"

HOCKET_SERIAL_OBJECT(Serial3, 3);
#endif
