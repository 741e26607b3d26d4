// Everything that depends on the exception level the kernel runs at, in one thin layer.
//
// Here: EL1, the usual place. A kernel that has Linux beside it runs at EL3 and uses that level's
// registers and the secure timer instead; it would be a second type with these members.
#pragma once

#include <stdint.h>

namespace hocket::aarch64 {

/// EL1 with the virtual counter and timer, which count from boot (start.S clears their offset where
/// EL2 may).
struct El1 {
  /// Interrupt number of the timer at a GIC (BSA, «PPI assignments»).
  static constexpr uint32_t kTimerId = 27;

  /// Ticks since boot. No barrier: a value may be as early as the processor reads ahead (a few
  /// cycles), never later than true (DDI 0487, D11.1.2).
  static uint64_t count() {
    uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
  static uint64_t frequency() {
    uint64_t value;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(value));
    return value;
  }
  /// The timer runs from now on, and is set for nothing.
  static void timer_start() {
    timer_off();
    asm volatile("msr cntv_ctl_el0, %0" ::"r"(uint64_t{1}));
  }
  /// The timer's interrupt is asserted while count() ≥ `instant` (D11.2.4).
  static void timer_set(uint64_t instant) { asm volatile("msr cntv_cval_el0, %0" ::"r"(instant)); }
  /// Set for an instant that does not come, it is silent as well, and set again in one instruction.
  static void timer_off() { timer_set(INT64_MAX); }

  /// The table of the lower half of the address space, and the number (ASID) of what is in it
  /// (D17.2.144). No address there may be in use.
  static void use_lower_half(uint64_t table) {
    asm volatile("msr ttbr0_el1, %0\n isb" ::"r"(table) : "memory");
  }

  /// PSTATE of the code that the running handler interrupted.
  static uint64_t interrupted_state() {
    uint64_t value;
    asm volatile("mrs %0, spsr_el1" : "=r"(value));
    return value;
  }
};

}  // namespace hocket::aarch64
