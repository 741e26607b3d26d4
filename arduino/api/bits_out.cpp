// Sends bits as pulses of two lengths: see bits_out.h.
#include "arduino/api/bits_out.h"

#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

namespace {

uint64_t wait_until(uint64_t instant) {
  uint64_t now = sys::now_ns();
  while (now < instant) now = sys::now_ns();
  return now;
}

}  // namespace

void hocket_bits_out(uint8_t pin, const uint8_t* bytes, uint32_t size,
                     const hocket_bit_lengths* lengths) {
  uint64_t begins = sys::now_ns();
  for (uint32_t i = 0; i < size; ++i) {
    for (unsigned mask = 0x80; mask != 0; mask >>= 1) {
      const uint16_t high = (bytes[i] & mask) != 0 ? lengths->one : lengths->zero;
      sys::pin_write(pin, true);
      wait_until(begins + high);
      sys::pin_write(pin, false);
      begins = wait_until(begins + lengths->bit);
    }
  }
}
