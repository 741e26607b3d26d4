// Asking for a bit of an I/O register (the first 32 of them) without a register: one instruction
// that skips a jump, 2 cycles when it is clear. clang reads the byte, masks it and compares, 5
// cycles; a jump out of assembler it cannot take apart.
#pragma once

#include <stdint.h>

namespace hocket::avr8 {

/// Whether this bit is set at this address (`_SFR_IO_ADDR`); both are constants. It is asked each
/// time.
[[gnu::always_inline]] inline bool io_bit(uint8_t address, uint8_t bit) {
  // SAFETY: changes nothing, not even flags.
  asm goto("sbic %0, %1\n rjmp %l[yes]" : : "I"(address), "I"(bit) : : yes);
  return false;
yes:
  return true;
}

}  // namespace hocket::avr8
