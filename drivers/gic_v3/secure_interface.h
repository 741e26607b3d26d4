// The GICv3 CPU interface of this core in the secure state, at EL3, on a controller with two
// security states. Group 0 belongs to the kernel and arrives as FIQ from everywhere. Group 1 of the
// non-secure state belongs to the other world and arrives there as IRQ.
//
// The other world's priorities are 0x80 and above, whatever it writes. While the secure state runs,
// ICC_PMR_EL1 blocks them (they would arrive as FIQ).
//
// Source: IHI 0069H, 4.6 (security), 4.8.6 (priorities of the two states), 12.2 (registers).
#pragma once

#include "drivers/gic_v3/cpu_interface.h"

namespace hocket::drivers {

struct GicV3SecureInterface : GicV3CpuInterface {
  static constexpr bool kTwoStates = true;
  static constexpr uint32_t kTimerId = 29;  // the secure physical timer (BSA)
  /// The first eight software-generated interrupts belong to the other world.
  static constexpr uint32_t kRescheduleId = 8;
  static constexpr uint8_t kAll = 0x80;
  static constexpr uint8_t kOrdinaryPriority = 0x20;

  /// Enables Group 0. The other world enables its own group.
  static bool start() {
    uint64_t enabled;
    asm volatile("mrs %0, icc_sre_el1" : "=r"(enabled));
    if ((enabled & 1) == 0) return false;
    asm volatile(
        "msr icc_ap0r0_el1, xzr\n\t"
        "msr icc_ctlr_el1, xzr\n\t"
        "msr icc_bpr0_el1, xzr\n\t"
        "msr icc_pmr_el1, %0\n\t"
        "msr icc_igrpen0_el1, %1\n\t"
        "isb" ::"r"(uint64_t{kAll}),
        "r"(1ul)
        : "memory");
    return true;
  }
};

}  // namespace hocket::drivers
