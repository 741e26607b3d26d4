// The processor's own registers that the port needs: pending, enabling and ordering exceptions.
//
// Armv6-M has a subset of Armv7-M's registers, at the same addresses: what is here is in both.
// Sources: Armv6-M Architecture Reference Manual (DDI 0419), B3.2 and B3.4; Armv7-M (DDI 0403),
// B3.2 and B3.4. Priorities: 0 is the most urgent; Armv6-M has four of them, in bits 7 and 6.
//
// All functions: masked, or where nobody else uses these registers (start).
#pragma once

#include <stdint.h>

namespace hocket::cortex_m {

class SystemControl {
 public:
  /// Interrupts that may use the kernel; more urgent ones may not.
  static constexpr uint32_t kKernelPriority = 0x80;

  /// PendSV, which switches threads, comes after every interrupt.
  static void order_switch_last() { at(kSystemPriority3) |= 0xff << 16; }

  static void pend_switch() { at(kInterruptControl) = 1 << 28; }

  /// The interrupt line may interrupt from now on, at the kernel's priority.
  static void enable(unsigned line) {
    // Words only: Armv6-M has no access to single bytes here.
    volatile uint32_t& priorities = at(kPriority + (line & ~3u));
    const unsigned shift = line % 4 * 8;
    priorities = (priorities & ~(0xffu << shift)) | kKernelPriority << shift;
    at(kClearPending + line / 32 * 4) = 1u << line % 32;
    at(kSetEnable + line / 32 * 4) = 1u << line % 32;
  }
  /// As if the line's device had interrupted.
  static void pend(unsigned line) { at(kSetPending + line / 32 * 4) = 1u << line % 32; }

 private:
  static constexpr uintptr_t kSetEnable = 0xe000'e100;     // NVIC_ISER
  static constexpr uintptr_t kSetPending = 0xe000'e200;    // NVIC_ISPR
  static constexpr uintptr_t kClearPending = 0xe000'e280;  // NVIC_ICPR
  static constexpr uintptr_t kPriority = 0xe000'e400;      // NVIC_IPR
  static constexpr uintptr_t kInterruptControl =
      0xe000'ed04;                                            // ICSR; writing zeros changes nothing
  static constexpr uintptr_t kSystemPriority3 = 0xe000'ed20;  // SHPR3

  static volatile uint32_t& at(uintptr_t address) {
    // SAFETY: these words are there on every Cortex-M, and are Device memory.
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
};

}  // namespace hocket::cortex_m
