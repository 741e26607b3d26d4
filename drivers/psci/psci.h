// PSCI on AArch64: the two instructions that call the firmware. calls.h has the functions.
#pragma once

#include "drivers/psci/calls.h"

namespace hocket::drivers {

/// The firmware that handles the calls: at EL2 (HVC) or at EL3 (SMC).
enum class Firmware : uint8_t { Hypervisor, SecureMonitor };

template <Firmware kWho>
struct FirmwareConduit {
  static int64_t call(uint32_t function, uint64_t first, uint64_t second, uint64_t third) {
    // SAFETY: the registers of the SMCCC; firmware may read memory of this program.
    register uint64_t x0 asm("x0") = function;
    register uint64_t x1 asm("x1") = first;
    register uint64_t x2 asm("x2") = second;
    register uint64_t x3 asm("x3") = third;
    asm volatile(".if %c[monitor]\n\tsmc #0\n\t.else\n\thvc #0\n\t.endif"
                 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                 : [monitor] "i"(kWho == Firmware::SecureMonitor ? 1 : 0)
                 : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
                   "x16", "x17", "memory");
    return static_cast<int64_t>(x0);
  }
};

using HvcConduit = FirmwareConduit<Firmware::Hypervisor>;
using SmcConduit = FirmwareConduit<Firmware::SecureMonitor>;

}  // namespace hocket::drivers
