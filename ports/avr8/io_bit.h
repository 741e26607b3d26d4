// Tests a bit of one of the first 32 I/O registers without a processor register: one instruction
// that skips a jump, 2 cycles if the bit is clear. clang reads the byte, masks it and compares (5
// cycles); it cannot do so with a jump out of assembler code.
#pragma once

#include <stdint.h>

namespace hocket::avr8 {

/// Whether `bit` is set at `address` (`_SFR_IO_ADDR`). Both are constants. Each call reads the
/// register.
[[gnu::always_inline]] inline bool io_bit(uint8_t address, uint8_t bit) {
  // SAFETY: changes nothing, not even flags.
  asm goto("sbic %0, %1\n rjmp %l[yes]" : : "I"(address), "I"(bit) : : yes);
  return false;
yes:
  return true;
}

}  // namespace hocket::avr8
