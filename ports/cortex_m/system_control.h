// The processor's own registers that the port needs, for pending and ordering exceptions.
// (drivers/nvic has the interrupt lines.)
//
// Armv6-M has a subset of Armv7-M's registers, at the same addresses; only registers of both are
// used here. Sources: Armv6-M Architecture Reference Manual (DDI 0419), B3.2 and B3.4; Armv7-M (DDI
// 0403), B3.2 and B3.4. Priority 0 is the most urgent; Armv6-M has four priorities, in bits 7 and
// 6.
//
// All functions: masked, or at start, when no other code uses these registers.
#pragma once

#include "drivers/nvic/nvic.h"

namespace hocket::cortex_m {

class SystemControl {
 public:
  /// The priority of interrupts that may use the kernel; more urgent ones may not.
  static constexpr uint32_t kKernelPriority = 0x80;

  /// PendSV, which switches threads, gets the lowest priority.
  static void order_switch_last() { at(kSystemPriority3) |= 0xff << 16; }

  static void pend_switch() { at(kInterruptControl) = 1 << 28; }

  /// Unmasks the interrupt line, at the kernel's priority.
  static void enable(unsigned line) {
    Nvic::set_priority(line, kKernelPriority);
    Nvic::clear_pending(line);
    Nvic::unmask(line);
  }
  /// Acts as if the line's device had interrupted.
  static void pend(unsigned line) { Nvic::set_pending(line); }

  /// The number of the active exception; 0: a thread runs.
  static uint32_t exception() {
    uint32_t number;
    asm volatile("mrs %0, ipsr" : "=r"(number));
    return number;
  }

 private:
  using Nvic = drivers::Nvic;
  static constexpr uintptr_t kInterruptControl =
      0xe000'ed04;                                            // ICSR; writing zeros changes nothing
  static constexpr uintptr_t kSystemPriority3 = 0xe000'ed20;  // SHPR3

  static volatile uint32_t& at(uintptr_t address) {
    // SAFETY: these words exist on every Cortex-M, and are Device memory.
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
};

}  // namespace hocket::cortex_m
