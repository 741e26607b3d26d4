// The interrupt controller of Cortex-M: enables, triggers and prioritises its lines.
//
// Armv6-M has a subset of Armv7-M's registers, at the same addresses. This header uses only that
// subset.
// Sources: Armv6-M Architecture Reference Manual (DDI 0419), B3.4; Armv7-M (DDI 0403), B3.4.
//
// Writing ones acts and zeros change nothing, so all functions but set_priority() may be called
// anywhere.
#pragma once

#include <stdint.h>

namespace hocket::drivers {

class Nvic {
 public:
  static void mask(unsigned line) {
    one(kClearEnable, line);
    // After these barriers no handler of the line begins (DDI 0419, B2.5).
    asm volatile("dsb\n isb" ::: "memory");
  }
  static void unmask(unsigned line) { one(kSetEnable, line); }
  static bool pending(unsigned line) {
    return (at(kSetPending + line / 32 * 4) & 1u << line % 32) != 0;
  }
  static void clear_pending(unsigned line) { one(kClearPending, line); }
  /// As if the line's device had raised its interrupt.
  static void set_pending(unsigned line) { one(kSetPending, line); }

  /// 0 is the highest priority. Call masked: one word holds the priorities of four lines (Armv6-M
  /// has no byte access here).
  static void set_priority(unsigned line, uint32_t priority) {
    volatile uint32_t& priorities = at(kPriority + (line & ~3u));
    const unsigned shift = line % 4 * 8;
    priorities = (priorities & ~(0xffu << shift)) | priority << shift;
  }

 private:
  static constexpr uintptr_t kSetEnable = 0xe000'e100;     // NVIC_ISER
  static constexpr uintptr_t kClearEnable = 0xe000'e180;   // NVIC_ICER
  static constexpr uintptr_t kSetPending = 0xe000'e200;    // NVIC_ISPR
  static constexpr uintptr_t kClearPending = 0xe000'e280;  // NVIC_ICPR
  static constexpr uintptr_t kPriority = 0xe000'e400;      // NVIC_IPR

  static void one(uintptr_t row, unsigned line) { at(row + line / 32 * 4) = 1u << line % 32; }
  static volatile uint32_t& at(uintptr_t address) {
    // SAFETY: every Cortex-M has these words, in Device memory.
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
};

}  // namespace hocket::drivers
