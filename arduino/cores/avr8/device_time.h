// The time of the board's own interrupts (serial characters, tones): it is not that of the loop
// which they interrupt.
//
//   such an interrupt ended, out of a loop     counted in a byte
//   the fourth since that loop went on         its limit moves by what four have taken
//
// Moving a limit takes 160 cycles, counting 12. Up to three are left when somebody else takes the
// processor: who does pays for them (boards/uno/costs.h). In a section of the kernel nobody's
// budget is running, and in idle time neither.
#pragma once

#include <avr/io.h>

#include "boards/uno/costs.h"

// The byte is switch.S's, which begins it anew for whoever goes on. Where no kernel is linked
// nobody has a limit.
// (That an image has such interrupts, boards/uno/costs.h and sketch.ld ask.)
asm(".comm hocket_device_count, 1\n"
    ".weak hocket_has_devices\n.set hocket_has_devices, 1\n"
    ".section .text.hocket_no_limit,\"axG\",@progbits,hocket_no_limit,comdat\n"
    ".weak hocket_devices_took, hocket_pay, hocket_no_limit\n"
    "hocket_devices_took:\nhocket_pay:\nhocket_no_limit: ret\n"
    ".text\n");

/// So many ticks of interrupts, later and whoever runs then, are caused by who runs now, and are
/// its own time: a loop's budget is less by them, or that of handlers. Where a loop has no more
/// budget it waits for more until all is paid. Any context. (kernel.cpp)
extern "C" void hocket_pay(uint16_t ticks);

namespace hocket::uno {

/// The last thing of such an interrupt, which has taken kDeviceTicks at most from its vector to its
/// return. Masked.
[[gnu::always_inline]] inline void device_ended() {
  asm volatile(
      "sbic %0, 3\n"  // kKernel
      "rjmp 1f\n"
      "sbic %0, 2\n"  // kIdle
      "rjmp 1f\n"
      "lds r24, hocket_device_count\n"
      "inc r24\n"
      "sts hocket_device_count, r24\n"
      "sbrc r24, 2\n"
      "call hocket_devices_took\n"
      "1:\n"
      :
      : "I"(_SFR_IO_ADDR(GPIOR0))
      : "r24", "r25", "r26", "r27", "memory");
}

}  // namespace hocket::uno
