#include "simulation/devices/spi_bus.h"

#include <algorithm>

namespace hocket::sim {
namespace {

uint8_t turned(uint8_t byte) {
  uint8_t result = 0;
  for (unsigned bit = 0; bit < 8; ++bit)
    result |= static_cast<uint8_t>((byte >> bit & 1) << (7 - bit));
  return result;
}

}  // namespace

uint8_t SpiBus::exchange(Nanos now, uint8_t byte, uint8_t mode) {
  uint8_t answer = 0xff;
  for (SpiTarget* target : targets_) answer &= target->exchange(now, byte, mode);
  return answer;
}

Nanos SpiBus::transfer(Nanos now, const sys::SpiTransfer& asked, const uint8_t* out, uint8_t* in) {
  for (size_t i = 0; i < asked.size; ++i) {
    uint8_t byte = out != nullptr ? out[i] : 0xff;
    if (asked.lowest_first) byte = turned(byte);
    uint8_t answer = exchange(now, byte, asked.mode & 3);
    if (asked.lowest_first) answer = turned(answer);
    if (in != nullptr) in[i] = answer;
  }
  return sys::spi_time_ns(asked);
}

}  // namespace hocket::sim
