// System control of Stellaris: the processor's clock from the PLL, and clocks for devices.
//
// Source: LM3S6965 data sheet, chapter 6; 6.2 has the order of the writes.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

template <class Bus = MemoryBus>
class StellarisSystem {
 public:
  /// Sets the clock to 50 MHz from a crystal of 8 MHz. Waits for the PLL (0.5 ms at most).
  static void run_at_50_mhz() {
    uint32_t rcc = Rcc::read();
    rcc = (rcc | kBypass) & ~kUseDivider;
    Rcc::write(rcc);
    rcc = (rcc & ~(kCrystal | kSource | kPowerDown)) | kCrystal8MHz;
    Rcc::write(rcc);
    rcc = (rcc & ~kDivider) | kDivideBy4 | kUseDivider;
    Rcc::write(rcc);
    while ((RawInterrupts::read() & kPllLocked) == 0) {
    }
    Rcc::write(rcc & ~kBypass);
  }

  /// Enables the clock of general-purpose timer 0.
  static void enable_timer_0() {
    ClockGates1::set_bits(1 << 16);
    static_cast<void>(ClockGates1::read());  // the write needs a few cycles to take effect
  }

 private:
  static constexpr uintptr_t kBase = 0x400f'e000;
  using RawInterrupts = Register<Bus, uint32_t, kBase + 0x050>;
  using Rcc = Register<Bus, uint32_t, kBase + 0x060>;
  using ClockGates1 = Register<Bus, uint32_t, kBase + 0x104>;

  static constexpr uint32_t kPllLocked = 1 << 6;
  static constexpr uint32_t kSource = 3 << 4, kCrystal = 0xf << 6, kCrystal8MHz = 0xe << 6;
  static constexpr uint32_t kBypass = 1 << 11, kPowerDown = 1 << 13, kUseDivider = 1 << 22;
  static constexpr uint32_t kDivider = 0xf << 23, kDivideBy4 = 3 << 23;
};

}  // namespace hocket::drivers
