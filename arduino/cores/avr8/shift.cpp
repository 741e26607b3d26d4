// shiftOut() and shiftIn() on the Uno.
#include "arduino/api/Common.h"

extern "C" {
void hocket_digital_write(uint8_t pin, int value);
int hocket_digital_read(uint8_t pin);

void shiftOut(pin_size_t data, pin_size_t clock, int order, uint8_t value) {
  for (uint8_t i = 0; i < 8; ++i) {
    hocket_digital_write(data, (order == LSBFIRST ? value & 1 : value & 0x80) != 0);
    value = static_cast<uint8_t>(order == LSBFIRST ? value >> 1 : value << 1);
    hocket_digital_write(clock, HIGH);
    hocket_digital_write(clock, LOW);
  }
}

uint8_t shiftIn(pin_size_t data, pin_size_t clock, int order) {
  uint8_t value = 0;
  for (uint8_t i = 0; i < 8; ++i) {
    hocket_digital_write(clock, HIGH);
    const bool high = hocket_digital_read(data) != 0;
    value = static_cast<uint8_t>(order == LSBFIRST ? value >> 1 : value << 1);
    if (high) value = static_cast<uint8_t>(value | (order == LSBFIRST ? 0x80 : 1));
    hocket_digital_write(clock, LOW);
  }
  return value;
}

}  // extern "C"
