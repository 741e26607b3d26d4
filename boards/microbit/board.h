// BBC micro:bit (first edition): nRF51822, a Cortex-M0 at 16 MHz with 16 KiB of RAM.
#pragma once

#include "drivers/nrf51/timer.h"
#include "ports/contract/port.h"

namespace hocket::machine {

struct Board {
  using Counter = drivers::Nrf51Timer<0x4000'8000, 8>;  // TIMER0
  static constexpr unsigned kLines = 32;
  static constexpr unsigned kRescheduleLine = 20;  // SWI0, a software interrupt
  static constexpr port::Costs<int64_t> kCosts = {.interrupt_entry = 80,
                                                  .context_switch = 800,
                                                  .timer_interrupt = 900,
                                                  .timer_lateness = 80,
                                                  .longest_masked = 3'800};

  static void prepare() {}
  /// Defined by the program.
  [[noreturn]] static void halt(const char* reason);
};

}  // namespace hocket::machine
