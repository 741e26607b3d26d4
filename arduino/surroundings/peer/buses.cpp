// Buses and EEPROM simulated by the peer (see devices.h): each transfer is a request to it.
#include "arduino/cores/protected/kernel/devices.h"
#include "arduino/surroundings/peer/world.h"

namespace hocket::devices {

using world::Operation;

unsigned Buses::i2c_count() {
  return world::settings().i2c_count;
}
sys::I2cEnd Buses::i2c_transfer(unsigned bus, sys::I2cTransfer& asked, uint64_t& free_at) {
  const world::I2cWords words{.hertz = asked.hertz,
                              .timeout_us = asked.timeout_us,
                              .address = asked.address & 0x7fu,
                              .writes = asked.writes,
                              .reads = asked.in_size};
  const uint32_t out = asked.writes ? asked.out_size : 0;
  world::I2cAnswer answer{};
  const uint64_t begins = now_ns();
  world::ask_for(Operation::I2cTransfer, bus, words.b(), words.c(), asked.out, out, &answer,
                 sizeof answer, asked.in, asked.in_size);
  world::after_call();
  free_at = begins + answer.lasts;
  asked.received = static_cast<uint16_t>(answer.received);
  return static_cast<sys::I2cEnd>(answer.end);
}

unsigned Buses::spi_count() {
  return world::settings().spi_count;
}
uint64_t Buses::spi_transfer(unsigned bus, const sys::SpiTransfer& asked) {
  const world::SpiWords words{.hertz = asked.hertz,
                              .mode = asked.mode & 3u,
                              .lowest_first = asked.lowest_first,
                              .wanted = asked.in != nullptr,
                              .size = asked.size};
  const uint64_t begins = now_ns();
  const int64_t lasts = world::ask_for(Operation::SpiTransfer, bus, words.hertz, words.c(),
                                       asked.out, asked.out != nullptr ? asked.size : 0, nullptr, 0,
                                       asked.in, asked.in != nullptr ? asked.size : 0);
  world::after_call();
  return begins + static_cast<uint64_t>(lasts);
}

unsigned Buses::eeprom_size() {
  return world::settings().eeprom_size;
}
int Buses::eeprom_read(unsigned address) {
  return static_cast<int>(world::serve(Operation::EepromRead, address));
}
void Buses::eeprom_write(unsigned address, uint8_t value) {
  world::serve(Operation::EepromWrite, address, value);
}

}  // namespace hocket::devices
