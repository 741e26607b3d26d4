// The Raspberry Pi's first interrupt controller: the GPU's 64 sources and 8 of the ARM's side.
//
// Invariants
// - Sources 0-63 are the GPU's (49-52 GPIO, 57 PL011), 64-71 the ARM's (64 its timer).
// - Every source stays pending for as long as its device asks; there is nothing to acknowledge.
// - One source at a time can be a FIQ.
// - On a Pi 2 or 3 its two outputs enter the local controller of the cores (drivers/bcm2836).
//
// Source: Broadcom BCM2835 ARM Peripherals, chapter 7 «Interrupts», 7.5 registers.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

/// `kBase`: the page's offset 0x200 (0x3f00b200 on a Pi 3).
template <uintptr_t kBase, class Bus = MemoryBus>
class Bcm2835Interrupts {
 public:
  using Source = uint32_t;
  static constexpr Source kSources = 72;
  static constexpr Source kNone = kSources;

  /// Disables every source. Context: once, masked.
  static void init() {
    FiqControl::write(0);
    for (uint32_t word = 0; word < 3; ++word) Disable::write(word, ~0u);
  }

  /// Enables a source as IRQ. Returns false if there is no such source. Context of this and all
  /// functions below: masked, on one core at a time.
  static bool enable(Source source) {
    if (source >= kSources) return false;
    Enable::write(source / 32, 1u << (source % 32));
    return true;
  }

  /// Makes a source the FIQ. Returns false if there is no such source or another one is the FIQ.
  static bool enable_fiq(Source source) {
    const uint32_t control = FiqControl::read();
    if (source >= kSources) return false;
    if ((control & kFiqEnable) != 0 && (control & kFiqSource) != source) return false;
    Disable::write(source / 32, 1u << (source % 32));  // not as IRQ and FIQ at once
    FiqControl::write(kFiqEnable | source);
    return true;
  }

  /// Disables a source as IRQ or FIQ. Returns false if there is no such source.
  static bool disable(Source source) {
    if (source >= kSources) return false;
    if (FiqControl::read() == (kFiqEnable | source)) FiqControl::write(0);
    Disable::write(source / 32, 1u << (source % 32));
    return true;
  }

  /// Whether the source is enabled as IRQ.
  static bool is_enabled(Source source) {
    return (Enable::read(source / 32) & 1u << (source % 32)) != 0;
  }

  /// Whether the source asks as IRQ. Bits 10 to 20 of the first word duplicate bits of words 1 and
  /// 2, which have all sources.
  static bool pending(Source source) {
    const uint32_t word = source < 64 ? 1 + source / 32 : 0;
    return (Pending::read(word) & 1u << (source % 32)) != 0;
  }

  /// The lowest source that asks as IRQ, the ARM's first; kNone. Bound: three accesses.
  static Source pending() {
    // Bits 8 and 9 of the first word say which of the others to read, except for the sources that
    // bits 10 to 20 duplicate. So both are read if anything is pending.
    const uint32_t basic = Pending::read(0);
    if (basic == 0) return kNone;
    if ((basic & 0xff) != 0) return 64 + lowest(basic & 0xff);
    if (const uint32_t first = Pending::read(1)) return lowest(first);
    if (const uint32_t second = Pending::read(2)) return 32 + lowest(second);
    return kNone;
  }

  /// The source that is the FIQ; kNone.
  static Source fiq_source() {
    const uint32_t control = FiqControl::read();
    return (control & kFiqEnable) != 0 ? control & kFiqSource : kNone;
  }

 private:
  static constexpr uint32_t kFiqEnable = 1u << 7, kFiqSource = 0x7f;

  using Pending = Registers<Bus, uint32_t, kBase + 0x00>;  // basic, 1, 2
  using FiqControl = Register<Bus, uint32_t, kBase + 0x0c>;
  using Enable = Registers<Bus, uint32_t, kBase + 0x10>;   // 1, 2, basic
  using Disable = Registers<Bus, uint32_t, kBase + 0x1c>;  // 1, 2, basic

  static Source lowest(uint32_t word) { return static_cast<Source>(__builtin_ctz(word)); }
};

}  // namespace hocket::drivers
