// Serial1: USART 1.
#include "arduino/cores/avr8/serial_port.h"

volatile uint8_t hocket_serial_received_1[64], hocket_serial_head_1, hocket_serial_tail_1;

HOCKET_SERIAL_PORT(1, ReceivedRoom1)
