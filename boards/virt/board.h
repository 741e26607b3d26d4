// QEMU's `virt` machine: addresses and numbers, no logic. More is in board.toml.
//
// Source: QEMU documentation, «virt generic virtual platform»; hw/arm/virt.c names the addresses.
#pragma once

#include "controller.h"
#include "costs.h"
#include "drivers/gic_v2/gic_v2.h"
#include "drivers/gic_v3/gic_v3.h"
#include "ports/aarch64/layout.h"
#include "ports/contract/port.h"

namespace hocket::machine {

constexpr uintptr_t device(uintptr_t physical) {
  return physical + HOCKET_KERNEL_OFFSET;
}

#ifndef HOCKET_CORES
#define HOCKET_CORES HOCKET_MOST_CORES
#endif

struct Board {
  static constexpr bool kIsHardware = false;  // an emulator's machine
  static constexpr unsigned kCores = HOCKET_CORES;
  static constexpr uint64_t kTickHz = HOCKET_TICK_HZ;

  static constexpr uintptr_t kRamBegin = HOCKET_RAM_BASE;
  static constexpr bool kCoresWaitBusily = false;          // unused cores do not spin
  static constexpr uintptr_t kDevicesBegin = 0x0800'0000;  // GIC, UART, RTC, GPIO …
  static constexpr uintptr_t kDevicesEnd = 0x0a00'0000;

  static constexpr uintptr_t kTrustedPins = 0x0903'0000;  // PL061

#if HOCKET_GIC == 2  // `-M virt,gic-version=2`, at most 8 cores
  using Controller =
      drivers::GicV2<device(0x0800'0000), device(0x0801'0000), drivers::Group1Registers::Shared>;
#else  // `-M virt,gic-version=3`
  using Controller =
      drivers::GicV3<device(0x0800'0000), device(0x080a'0000), (kCores > 8 ? kCores : 8)>;
#endif

  static constexpr port::Costs<int64_t> kCosts = kByDeadline ? kByDeadlineCosts : kByPriorityCosts;
  /// The longest masked section of the UART's driver, in instructions.
  /// tests/system/test_native_boards.py measures its effect on a loop.
  static constexpr int64_t kOrdinarySection = 1'800;
  [[noreturn]] static void halt(const char* reason);
};

}  // namespace hocket::machine
