// Stellaris LM3S6965 evaluation board: a Cortex-M3 at 50 MHz with 64 KiB of RAM.
#pragma once

#include "drivers/stellaris/system_clock.h"
#include "drivers/stellaris/timer.h"
#include "drivers/systick/systick.h"
#include "ports/contract/port.h"

namespace hocket::machine {

/// SysTick is the clock and timer 0 the alarm, because QEMU's timers cannot be read.
struct SysTickAndTimer : drivers::SysTick<> {
  using Timer = drivers::StellarisTimer<0x4003'0000>;
  static constexpr uint32_t kTickHz = 50'000'000;
  static constexpr unsigned kLine = 19;

  static void start() {
    SysTick::start();
    Timer::init();
  }
  static void alarm_at(uint32_t count) { Timer::start((count - SysTick::count()) & 0xff'ffff); }
  static void acknowledge() { Timer::acknowledge(); }
};

struct Board {
  using Counter = SysTickAndTimer;
  static constexpr unsigned kLines = 44;
  static constexpr unsigned kRescheduleLine = 41;  // reserved in the chip, which has no CAN
  static constexpr port::Costs<int64_t> kCosts = {.interrupt_entry = 60,
                                                  .context_switch = 450,
                                                  .timer_interrupt = 520,
                                                  .timer_lateness = 60,
                                                  .longest_masked = 2'000};

  static void prepare() {
    drivers::StellarisSystem<>::run_at_50_mhz();
    drivers::StellarisSystem<>::enable_timer_0();
  }
  /// Defined by the program.
  [[noreturn]] static void halt(const char* reason);
};

}  // namespace hocket::machine
