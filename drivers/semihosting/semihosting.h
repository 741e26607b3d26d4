// Semihosting on AArch64: the trap to the host that runs the emulator. calls.h has the calls.
#pragma once

#include "drivers/semihosting/calls.h"

namespace hocket::drivers {

/// The trap instruction.
struct SemihostingTrap {
  [[gnu::always_inline]] static int64_t call(uint32_t operation, const void* parameters) {
    // SAFETY: X0 in and out, X1 in; the host reads and writes this program's memory.
    register uint64_t x0 asm("x0") = operation;
    register uint64_t x1 asm("x1") = reinterpret_cast<uintptr_t>(parameters);
    asm volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
    return static_cast<int64_t>(x0);
  }
};

using Semihosting = SemihostingHost<SemihostingTrap>;

}  // namespace hocket::drivers
