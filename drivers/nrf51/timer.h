// TIMER of Nordic's nRF51 as a clock: 32 bits at 16 MHz, free-running, with one alarm.
//
// CC[0] is the alarm. The counter is read by capturing it into CC[1], so reading must be masked.
// Source: nRF51 Series Reference Manual 3.0, chapter 18. Only TIMER0 has 32 bits.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

/// `kBase`: the device's address; `kInterrupt`: its line.
template <uintptr_t kBase, unsigned kInterrupt, class Bus = MemoryBus>
class Nrf51Timer {
 public:
  static constexpr unsigned kBits = 32;
  static constexpr uint32_t kTickHz = 16'000'000;
  static constexpr unsigned kLine = kInterrupt;

  static void start() {
    Stop::write(1);
    Mode::write(0);  // counts time
    BitMode::write(3);
    Prescaler::write(0);
    Clear::write(1);
    EnableInterrupt::write(kCompare0);
    Start::write(1);
  }

  static uint32_t count() {
    Capture1::write(1);
    return Compare1::read();
  }

  static void alarm_at(uint32_t count) {
    acknowledge();
    Compare0::write(count);
  }
  static void acknowledge() { Reached0::write(0); }

 private:
  template <uintptr_t kOffset>
  using At = Register<Bus, uint32_t, kBase + kOffset>;
  using Start = At<0x000>;
  using Stop = At<0x004>;
  using Clear = At<0x00c>;
  using Capture1 = At<0x044>;
  using Reached0 = At<0x140>;  // EVENTS_COMPARE[0]
  using EnableInterrupt = At<0x304>;
  using Mode = At<0x504>;
  using BitMode = At<0x508>;
  using Prescaler = At<0x510>;
  using Compare0 = At<0x540>;
  using Compare1 = At<0x544>;

  static constexpr uint32_t kCompare0 = 1 << 16;
};

}  // namespace hocket::drivers
