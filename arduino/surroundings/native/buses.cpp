// Hocket drives no bus and no EEPROM on a board by itself (see devices.h).
#include "arduino/cores/protected/kernel/devices.h"

namespace hocket::devices {

unsigned Buses::i2c_count() {
  return 0;
}
sys::I2cEnd Buses::i2c_transfer(unsigned, sys::I2cTransfer&, uint64_t& free_at) {
  free_at = 0;
  return sys::I2cEnd::Failed;
}
unsigned Buses::spi_count() {
  return 0;
}
uint64_t Buses::spi_transfer(unsigned, const sys::SpiTransfer&) {
  return 0;
}
unsigned Buses::eeprom_size() {
  return 0;
}
int Buses::eeprom_read(unsigned) {
  return 0xff;
}
void Buses::eeprom_write(unsigned, uint8_t) {}

}  // namespace hocket::devices
