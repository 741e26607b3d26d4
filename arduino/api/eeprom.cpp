// The EEPROM of boards other than AVRs: the system's. (The Uno's is in arduino/cores/avr8.)
#ifndef __AVR__

#include "arduino/runtime/system.h"

extern "C" {

uint8_t hocket_eeprom_read(int address) {
  return static_cast<uint8_t>(hocket::sys::eeprom_read(static_cast<unsigned>(address)));
}
void hocket_eeprom_write(int address, uint8_t value) {
  hocket::sys::eeprom_write(static_cast<unsigned>(address), value);
}
int hocket_eeprom_size() {
  return static_cast<int>(hocket::sys::eeprom_size());
}
}

#endif
