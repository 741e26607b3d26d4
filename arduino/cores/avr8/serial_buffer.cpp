// The receive buffer of Serial, if the sketch does not provide another one (HOCKET_SERIAL_BUFFER in
// arduino/api/HardwareSerial.h).
#include <stdint.h>

extern "C" volatile uint8_t hocket_serial_received[64];
volatile uint8_t hocket_serial_received[64];
