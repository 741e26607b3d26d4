// The timer that the kernel does not use. It is for the simulated world around an emulator's board
// (arduino/surroundings/peer/pins). Its interrupt follows the physical counter, and the
// time that its handler takes can be removed from the board's clock.
//
// At EL1 it is the physical timer. The clock is moved at EL2, where an image has left a handler.
//
// Source: DDI 0487, D11.2.
#pragma once

#include <stdint.h>

#include "exception_level.h"

extern "C" {
extern const uint64_t hocket_counter_offset;  // ports/aarch64/start.S
void hocket_take_out_of_clock(uint64_t ticks);
}

namespace hocket::aarch64 {

/// Context of all functions: the calling core, masked.
class SpareTimer {
 public:
  /// Interrupt number at a GIC (BSA, "PPI assignments").
  static constexpr uint32_t kId = 30;

  static void off() { asm volatile("msr cntp_ctl_el0, %0" ::"r"(uint64_t{0})); }
  /// `instant` is on the board's clock.
  static void set(uint64_t instant) {
    asm volatile("msr cntp_cval_el0, %0\n msr cntp_ctl_el0, %1" ::"r"(instant + ahead()),
                 "r"(uint64_t{1}));
  }

  /// Whether the clock can be moved.
  static bool can_take_out() { return hocket_counter_offset != 0; }
  /// Removes these ticks from the clock, the kernel's timer and this timer.
  static void take_out(uint64_t ticks) {
    taken_ += ticks;
    uint64_t instant;
    asm volatile("mrs %0, cntp_cval_el0" : "=r"(instant));
    asm volatile("msr cntp_cval_el0, %0" ::"r"(instant + ticks));
    hocket_take_out_of_clock(ticks);
  }

  /// Instructions from the first one of the vector to the first one of a handler, and from there to
  /// the last one of the return. These must not be too large: code that read the clock just before
  /// would then see an earlier time than the world has. (tests/system/test_pins_on_virt.py measures
  /// both.)
  static constexpr uint64_t kEntry = 23;
  static uint64_t way_out() {
    constexpr uint64_t kToKernel = 61, kToSketch = 65;
    constexpr uint64_t kLevel = 0xf;  // of PSTATE.M
    return (Level::interrupted_state() & kLevel) == 0 ? kToSketch : kToKernel;
  }

 private:
  /// How far the physical counter is ahead of the board's clock.
  static uint64_t ahead() { return hocket_counter_offset + taken_; }

  /// Kept, because the clock continues over a restart of the sketch.
  [[gnu::section(".kept_zero")]] static inline uint64_t taken_;
};

}  // namespace hocket::aarch64
