// Raspberry Pi 3 and Zero 2 W (BCM2837): addresses and numbers, no logic. More is in board.toml.
//
// Source: BCM2835 ARM Peripherals (Broadcom 2012; on the BCM2837 at 0x3f000000), ARM quad A7 core
// (Broadcom 2014) for the local controller at 0x40000000.
#pragma once

#include "drivers/bcm2835/interrupts.h"
#include "drivers/bcm2836/bcm2836.h"
#include "ports/aarch64/layout.h"
#include "ports/contract/port.h"

namespace hocket::machine {

constexpr uintptr_t device(uintptr_t physical) {
  return physical + HOCKET_KERNEL_OFFSET;
}

struct Board {
  static constexpr bool kIsHardware = true;  // false: an emulator's machine
  static constexpr unsigned kCores = HOCKET_MOST_CORES;
  static constexpr uint64_t kTickHz = HOCKET_TICK_HZ;

  static constexpr bool kCoresWaitBusily = true;  // unused cores spin before they are started
  static constexpr uintptr_t kDevicesBegin = 0x3f00'0000;
  static constexpr uintptr_t kDevicesEnd = 0x4000'0000;
  static constexpr uintptr_t kLocalBegin = 0x4000'0000;  // the cores' own controller
  static constexpr uintptr_t kLocalEnd = 0x4000'1000;
  static constexpr uintptr_t kSpinTableBegin = 0;  // the firmware's release words, see machine.cpp
  static constexpr uintptr_t kSpinTableEnd = 0x1000;
  static constexpr uintptr_t kTrustedPins = 0x3f20'0000;  // GPIO

  using Gpu = drivers::Bcm2835Interrupts<device(0x3f00'b200)>;
  using Controller = drivers::Bcm2836<device(kLocalBegin), Gpu>;

  /// In ticks of 52 ns. Derived from the instruction counts of `virt` with a wide margin for
  /// caches. They have not been measured on the board (docs/guide/rpi3.md).
  static constexpr port::Costs<int64_t> kCosts{.interrupt_entry = 39,   // 2 us
                                               .context_switch = 96,    // 5 us
                                               .timer_interrupt = 96,   // 5 us
                                               .timer_lateness = 39,    // 2 us
                                               .longest_masked = 192};  // 10 us
  /// The longest masked section of the UART's and the pins' drivers: 64 accesses to device
  /// registers, and as much again for the rest. Also an estimate.
  static constexpr int64_t kOrdinarySection = 192;  // 10 us
  [[noreturn]] static void halt(const char* reason);
};

}  // namespace hocket::machine
