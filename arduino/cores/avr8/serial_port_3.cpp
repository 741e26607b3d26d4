// Serial3: USART 3.
#include "arduino/cores/avr8/serial_port.h"

volatile uint8_t hocket_serial_received_3[64], hocket_serial_head_3, hocket_serial_tail_3;

HOCKET_SERIAL_PORT(3, ReceivedRoom3)
