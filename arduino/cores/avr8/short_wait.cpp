// Waiting for microseconds. Apart from time.cpp, so that a sketch that only does this has no clock.
#include "arduino/api/Common.h"

extern "C" {

/// Counts instructions, so it also works where no clock runs; interrupts and other loops make it
/// longer.
void delayMicroseconds(unsigned int us) {
  if (us < 2) return;  // the call took it
  uint16_t turns = static_cast<uint16_t>(us - 1);
  // 16 cycles a turn. (A loop of the compiler's has two more: it compares behind the subtraction.)
  asm volatile(
      "1: nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
      " sbiw %0, 1\n brne 1b"
      : "+w"(turns));
}

}  // extern "C"
