// The GICv3 CPU interface of this core, by system registers, at EL1 (AArch64 only).
//
// Source: Arm Generic Interrupt Controller Architecture Specification, GICv3 and v4 (IHI 0069H),
// section 12.2 «AArch64 System register descriptions», under each register's name; MPIDR_EL1 and
// barriers: Arm ARM (DDI 0487).
#pragma once

#include <stdint.h>

namespace hocket::drivers {

struct GicV3CpuInterface {
  static constexpr bool kTwoStates = false;  // of security (secure_interface.h has them)
  static constexpr uint32_t kTimerId = 27;   // the EL1 virtual timer, as BSA (DEN0094) numbers it
  static constexpr uint32_t kRescheduleId = 0;
  static constexpr uint8_t kAll = 0xff;  // lets all priorities through
  static constexpr uint8_t kOrdinaryPriority = 0xa0;

  /// Acknowledges Group 0: the INTID becomes active on this core. Returns 1023 if none is pending.
  [[gnu::always_inline]] static uint32_t acknowledge_group0() {
    uint64_t id;
    asm volatile("mrs %0, icc_iar0_el1" : "=r"(id)::"memory");
    return static_cast<uint32_t>(id);
  }
  [[gnu::always_inline]] static uint32_t acknowledge_group1() {
    uint64_t id;
    asm volatile("mrs %0, icc_iar1_el1" : "=r"(id)::"memory");
    return static_cast<uint32_t>(id);
  }

  /// Drops the running priority and deactivates (EOImode 0). No ISB is needed: leaving the handler
  /// (ERET) is a context synchronisation, and no interrupt of this level is expected before.
  /// SAFETY: writes the register as a whole without clearing its upper half: bits 63 to 24 are
  /// ignored (RES0), and the value from acknowledge has zeros there.
  [[gnu::always_inline]] static void end_group0(uint32_t id) {
    asm volatile("msr icc_eoir0_el1, %x0" ::"r"(id) : "memory");
  }
  [[gnu::always_inline]] static void end_group1(uint32_t id) {
    asm volatile("msr icc_eoir1_el1, %x0" ::"r"(id) : "memory");
  }

  /// Only interrupts of a higher priority (a lower number) than this reach the core (ICC_PMR_EL1).
  [[gnu::always_inline]] static void let_through(uint64_t priority) {
    asm volatile("msr icc_pmr_el1, %0" ::"r"(priority) : "memory");
  }

  /// Sends a Group 0 software-generated interrupt (ICC_SGI0R_EL1). A system register access is not
  /// a memory access, so DSB and not DMB orders earlier stores before it.
  [[gnu::always_inline]] static void send_group0(uint64_t targets) {
    asm volatile("dsb ishst\n\tmsr icc_sgi0r_el1, %0\n\tisb" ::"r"(targets) : "memory");
  }

  /// Affinity fields of MPIDR_EL1 (Aff3 in bits 39-32, Aff2 to Aff0 in 23-0).
  static uint64_t affinity() {
    uint64_t mpidr;
    asm volatile("mrs %0, mpidr_el1" : "=r"(mpidr));
    return mpidr & 0xff'00ff'ffff;
  }

  /// Enables both groups and all priorities, with EOImode 0. Clears active interrupts that were
  /// acknowledged and never ended (a restarted core may have been stopped in a handler, and its
  /// running priority would block all others of that level). Returns false if the system registers
  /// are not available (ICC_SRE_EL1.SRE stays 0).
  static bool start() {
    uint64_t enabled;
    asm volatile("msr icc_sre_el1, %1\n\tisb\n\tmrs %0, icc_sre_el1" : "=r"(enabled) : "r"(7ul));
    if ((enabled & 1) == 0) return false;
    forget_active();
    asm volatile(
        "msr icc_ctlr_el1, xzr\n\t"  // EOImode 0, CBPR 0
        "msr icc_bpr0_el1, xzr\n\t"  // the finest preemption
        "msr icc_bpr1_el1, xzr\n\t"
        "msr icc_pmr_el1, %0\n\t"
        "msr icc_igrpen0_el1, %1\n\t"
        "msr icc_igrpen1_el1, %1\n\t"
        "isb" ::"r"(0xfful),
        "r"(1ul)
        : "memory");
    return true;
  }

 private:
  /// ICC_AP0R<n>_EL1 and ICC_AP1R<n>_EL1: their number follows from the number of priority bits.
  static void forget_active() {
    uint64_t control;
    asm volatile("mrs %0, icc_ctlr_el1" : "=r"(control));
    const uint64_t bits = (control >> 8 & 7) + 1;  // PRIbits
    asm volatile("msr icc_ap0r0_el1, xzr\n\tmsr icc_ap1r0_el1, xzr" ::: "memory");
    if (bits >= 6) asm volatile("msr icc_ap0r1_el1, xzr\n\tmsr icc_ap1r1_el1, xzr" ::: "memory");
    if (bits < 7) return;
    asm volatile(
        "msr icc_ap0r2_el1, xzr\n\tmsr icc_ap1r2_el1, xzr\n\t"
        "msr icc_ap0r3_el1, xzr\n\tmsr icc_ap1r3_el1, xzr" ::
            : "memory");
  }
};

}  // namespace hocket::drivers
