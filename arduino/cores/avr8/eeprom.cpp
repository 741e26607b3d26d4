// The processor's EEPROM (data sheet, 8.4), one byte at a time, for all loops. Checking that it is
// free and using it is one masked section, so loops need no lock.
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"

namespace {

/// Waits while a byte is written, which takes 3.4 ms. (For sketches without loops, this file is
/// compiled a second time without the clock: nothing else could run meanwhile, and the clock stops
/// while interrupts are masked.)
void look_again_later() {
#ifndef HOCKET_WITHOUT_LOOPS
  constexpr uint32_t kLookAgain = hocket::uno::kTicksPerMillisecond / 2;
  hocket::uno::wait_until(hocket::uno::Clock::now() + kLookAgain);
#endif
}

bool exists(int address) {
  return address >= 0 && address <= E2END;
}

/// Waits until no byte is being written. Returns masked; the result is SREG from before.
uint8_t when_free() {
  for (;;) {
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    if ((EECR & (1 << EEPE)) == 0) return state;
    SREG = state;
    look_again_later();
  }
}

}  // namespace

extern "C" {

uint8_t hocket_eeprom_read(int address) {
  if (!exists(address)) return 0xff;
  const uint8_t state = when_free();
  EEAR = static_cast<uint16_t>(address);
  EECR = 1 << EERE;
  const uint8_t value = EEDR;
  SREG = state;
  return value;
}

void hocket_eeprom_write(int address, uint8_t value) {
  if (!exists(address)) return;
  const uint8_t state = when_free();
  EEAR = static_cast<uint16_t>(address);
  EEDR = value;
  // Erase and write in one operation. The second instruction must follow within four cycles
  // (8.6.3).
  asm volatile("out %0, %1\n sbi %0, %2" ::"I"(_SFR_IO_ADDR(EECR)),
               "r"(static_cast<uint8_t>(1 << EEMPE)), "I"(EEPE)
               : "memory");
  SREG = state;
}

}  // extern "C"
