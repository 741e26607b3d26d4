// Accounts for the time of the board's own interrupts (serial characters, tones), which must not be
// charged to the loop that they interrupt.
//
//   such an interrupt ended while a loop ran   counted in a byte
//   the fourth since the loop was dispatched   the loop's limit moves by the time of four
//
// Moving a limit takes 160 cycles, counting takes 12. Up to three interrupts remain uncounted when
// another thread is dispatched; that thread's activation pays for them
// (arduino/cores/avr8/kernel_costs.h). In a section of the kernel, and in idle time, no budget is
// running.
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/kernel_costs.h"

// switch.S owns the byte and clears it at each dispatch. If no kernel is linked, no limit exists.
// (arduino/cores/avr8/kernel_costs.h and sketch.ld test whether an image has such interrupts.)
asm(".comm hocket_device_count, 1\n"
    ".weak hocket_has_devices\n.set hocket_has_devices, 1\n"
    ".section .text.hocket_no_limit,\"axG\",@progbits,hocket_no_limit,comdat\n"
    ".weak hocket_devices_took, hocket_pay, hocket_no_limit\n"
    "hocket_devices_took:\nhocket_pay:\nhocket_no_limit: ret\n"
    ".text\n");

/// Charges the running loop, or the budget of handlers, for `ticks` of later interrupts that it
/// causes, whichever loop they will interrupt. A loop whose budget does not suffice waits for
/// replenishment until all is paid. Any context. (kernel.cpp)
extern "C" void hocket_pay(uint16_t ticks);

namespace hocket::uno {

/// Must be the last statement of such an interrupt, which takes at most kDeviceTicks from its
/// vector to its return. Masked.
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
