// Serial of a board with several ports: USART 0.
#include "arduino/cores/avr8/serial_port.h"

volatile uint8_t hocket_serial_head, hocket_serial_tail;

HOCKET_SERIAL_PORT(0, ReceivedRoom)
