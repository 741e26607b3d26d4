// Waits of microseconds. Separate from time.cpp, so that a sketch that needs only this has no
// clock.
#include "arduino/api/Common.h"

extern "C" {

/// Counts instructions, so it also works where no clock runs. Interrupts and other loops lengthen
/// it.
void delayMicroseconds(unsigned int us) {
  if (us < 2) return;  // the call itself took this long
  uint16_t turns = static_cast<uint16_t>(us - 1);
  // 16 cycles for each iteration. (A compiled loop takes two more: it compares after the
  // subtraction.)
  asm volatile(
      "1: nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
      " sbiw %0, 1\n brne 1b"
      : "+w"(turns));
}

}  // extern "C"
