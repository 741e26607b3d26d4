// Semihosting on Cortex-M: the trap to the host that runs the emulator. calls.h has the calls.
//
// BKPT #0xAB with the operation in R0 and the address of its parameters in R1; the answer is in R0.
#pragma once

#include "drivers/semihosting/calls.h"

namespace hocket::drivers {

/// The trap instruction.
struct SemihostingTrap {
  [[gnu::always_inline]] static int64_t call(uint32_t operation, const void* parameters) {
    // SAFETY: R0 in and out, R1 in; the host reads and writes this program's memory.
    register uint32_t r0 asm("r0") = operation;
    register uint32_t r1 asm("r1") = reinterpret_cast<uintptr_t>(parameters);
    asm volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
    return static_cast<int32_t>(r0);
  }
};

using Semihosting = SemihostingHost<SemihostingTrap>;

}  // namespace hocket::drivers
