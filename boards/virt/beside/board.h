// QEMU's `virt` with a secure state, for a kernel at EL3 beside another system: addresses and
// numbers, no logic (see ../beside.md).
//
// Source: QEMU 7.2, hw/arm/virt.c: secure memory and secure PL061 of `-M virt,secure=on`.
#pragma once

#include "controller.h"
#include "costs.h"
#include "drivers/gic_v3/gic_v3.h"
#include "drivers/gic_v3/secure_interface.h"
#include "ports/aarch64/layout.h"
#include "ports/contract/port.h"

namespace hocket::machine {

constexpr uintptr_t device(uintptr_t physical) {
  return physical + HOCKET_KERNEL_OFFSET;
}

#ifndef HOCKET_CORES
#define HOCKET_CORES HOCKET_MOST_CORES
#endif

/// In instructions: a change of worlds is in the entry, in the switch and in the longest masked
/// section.
constexpr port::Costs<int64_t> with_worlds(port::Costs<int64_t> costs) {
  costs.interrupt_entry += 50;
  costs.context_switch += 200;
  costs.longest_masked += 200;
  return costs;
}

struct Board {
  static constexpr bool kIsHardware = false;  // but an emulator's machine
  static constexpr unsigned kCores = HOCKET_CORES;
  static constexpr uint64_t kTickHz = HOCKET_TICK_HZ;

  static constexpr uintptr_t kRamBegin = HOCKET_RAM_BASE;
  static constexpr bool kCoresWaitBusily = true;           // since the reset
  static constexpr uintptr_t kDevicesBegin = 0x0800'0000;  // GIC, UART, RTC, GPIO …
  static constexpr uintptr_t kDevicesEnd = 0x0a00'0000;

  static constexpr uintptr_t kTrustedPins = 0x0903'0000;  // PL061
  static constexpr uintptr_t kPower = 0x090b'0000;        // secure PL061: 0 off, 1 reset

  using Controller =
      drivers::GicV3<device(0x0800'0000), device(0x080a'0000), (kCores > 8 ? kCores : 8),
                     drivers::MemoryBus, drivers::GicV3SecureInterface>;

  // --- The other world ---

  static constexpr uintptr_t kNormalBegin = 0x4000'0000;  // its memory, or as much as QEMU has
  static constexpr uintptr_t kNormalEnd = 0x8000'0000;
  static constexpr uintptr_t kNormalEntry = 0x4040'0000;  // its program
  static constexpr uintptr_t kNormalTree = 0x4700'0000;   // its device tree, X0 at the entry
  static constexpr uintptr_t kNormalFiles = 0x4800'0000;  // its first file system
  static constexpr uintptr_t kFifoWindow = 0x46f0'0000;   // shared with it, in no memory of its own
  static constexpr uintptr_t kFifoWindowSize = 0x1'0000;
  static constexpr uint32_t kFifoInterrupt = 32 + 100;  // tells it: SPI 100

  static constexpr port::Costs<int64_t> kCosts =
      with_worlds(kByDeadline ? kByDeadlineCosts : kByPriorityCosts);
  static constexpr int64_t kOrdinarySection = 1'800;
  [[noreturn]] static void halt(const char* reason);
};

}  // namespace hocket::machine
