// The GICv3 CPU interface of this core in the secure state, at EL3, where the controller has two
// security states: Group 0 is ours and comes as FIQ from everywhere, Group 1 of the non-secure
// state belongs to the other world and comes as IRQ there.
//
// The priorities of the other world are those from 0x80 on, whatever it writes; while the secure
// state runs, ICC_PMR_EL1 keeps them away (they would come as FIQ).
//
// Source: IHI 0069H, 4.6 (security), 4.8.6 (priorities of the two states), 12.2 (registers).
#pragma once

#include "drivers/gic_v3/cpu_interface.h"

namespace hocket::drivers {

struct GicV3SecureInterface : GicV3CpuInterface {
  static constexpr bool kTwoStates = true;
  static constexpr uint32_t kTimerId = 29;  // the secure physical timer (BSA)
  /// The first eight software-generated interrupts are the other world's.
  static constexpr uint32_t kRescheduleId = 8;
  static constexpr uint8_t kAll = 0x80;
  static constexpr uint8_t kOrdinaryPriority = 0x20;

  /// Group 0 on. The other world switches its own group on for itself.
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
