// The timer that the kernel does not use: see ../el1/spare_timer.h.
//
// At EL3 it is the physical timer of EL2, which is empty: neither the sketch nor the other world
// can access it. The clock is moved by EL2's offset of the virtual counter, which is the clock of
// the kernel, the sketch and the other world alike. The other world's virtual timer moves with it.
// The kernel's timer follows the physical counter and is delayed explicitly.
// Source: DDI 0487, D11.1.2 (offset of the virtual counter), D11.2.
#pragma once

#include <stdint.h>

#include "exception_level.h"

namespace hocket::aarch64 {

/// Context of all functions: the calling core, masked. Needs a processor with EL2.
class SpareTimer {
 public:
  static constexpr uint32_t kId = 26;

  static void off() { asm volatile("msr cnthp_ctl_el2, %0" ::"r"(uint64_t{0})); }
  static void set(uint64_t instant) {
    asm volatile(
        "msr cnthp_cval_el2, %0\n msr cnthp_ctl_el2, %1" ::"r"(instant + Level::counter_offset()),
        "r"(uint64_t{1}));
  }

  static bool can_take_out() { return true; }
  static void take_out(uint64_t ticks) {
    uint64_t own;
    uint64_t kernels;
    asm volatile("mrs %0, cnthp_cval_el2\n mrs %1, cntps_cval_el1" : "=r"(own), "=r"(kernels));
    asm volatile(
        "msr cntvoff_el2, %0\n msr cnthp_cval_el2, %1\n msr cntps_cval_el1, %2\n isb" ::"r"(
            Level::counter_offset() + ticks),
        "r"(own + ticks), "r"(kernels + ticks));
  }

  // In instructions; tests/beside/test_pins_above_a_neighbour.py fails if these are wrong.
  static constexpr uint64_t kEntry = 23;
  static uint64_t way_out() {
    constexpr uint64_t kToKernel = 55, kToSketch = 69, kToOther = 75;
    if (Level::interrupted_state() != 0) return kToKernel;
    return Level::interrupted_other_world() ? kToOther : kToSketch;
  }
};

}  // namespace hocket::aarch64
