// Serial2: USART 2.
#include "arduino/cores/avr8/serial_port.h"

volatile uint8_t hocket_serial_received_2[64], hocket_serial_head_2, hocket_serial_tail_2;

HOCKET_SERIAL_PORT(2, ReceivedRoom2)
