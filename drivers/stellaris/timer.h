// General-purpose timer of Stellaris as a one-shot: 32 bits down to zero, then an interrupt.
//
// Source: LM3S6965 data sheet (DS-LM3S6965), chapter 10; 10.3.1 has the order of the writes.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

template <uintptr_t kBase, class Bus = MemoryBus>
class StellarisTimer {
 public:
  static void init() {
    Control::write(0);
    Configuration::write(0);  // both halves as one
    ModeA::write(kOneShot);
    EnableInterrupt::write(kTimedOut);
  }

  /// Sets the interrupt to `ticks` of the system clock from now, replacing an earlier one.
  static void start(uint32_t ticks) {
    Control::write(0);
    LoadA::write(ticks);
    Control::write(kEnable);
  }
  static void acknowledge() { ClearInterrupt::write(kTimedOut); }

 private:
  template <uintptr_t kOffset>
  using At = Register<Bus, uint32_t, kBase + kOffset>;
  using Configuration = At<0x00>;
  using ModeA = At<0x04>;
  using Control = At<0x0c>;
  using EnableInterrupt = At<0x18>;
  using ClearInterrupt = At<0x24>;
  using LoadA = At<0x28>;

  static constexpr uint32_t kOneShot = 1, kEnable = 1 << 0, kTimedOut = 1 << 0;
};

}  // namespace hocket::drivers
