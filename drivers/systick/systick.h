// SysTick, the 24-bit counter beside most Cortex-M processors, free-running at the processor's
// clock.
//
// It has no compare register and interrupts only when it reaches zero, so an alarm needs another
// timer. Source: Armv7-M Architecture Reference Manual (DDI 0403), B3.3.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

template <class Bus = MemoryBus>
class SysTick {
 public:
  static constexpr unsigned kBits = 24;

  static void start() {
    Reload::write(kMost);
    Current::write(0);  // any value clears it
    Control::write(kProcessorClock | kEnable);
  }

  /// Ticks since start(), modulo 2^24. Any context.
  static uint32_t count() { return (0 - Current::read()) & kMost; }  // it counts down

 private:
  using Control = Register<Bus, uint32_t, 0xe000'e010>;
  using Reload = Register<Bus, uint32_t, 0xe000'e014>;
  using Current = Register<Bus, uint32_t, 0xe000'e018>;

  static constexpr uint32_t kMost = 0xff'ffff;
  static constexpr uint32_t kEnable = 1 << 0, kProcessorClock = 1 << 2;
};

}  // namespace hocket::drivers
