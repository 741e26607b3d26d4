// Starting cores that wait for an address in memory: the Raspberry Pi's firmware, and QEMU's.
//
// Invariants: core n waits, with WFE, for a non-zero word at kTable + 8 · n, then jumps there, at
// the exception level it woke up in (EL2 on a Pi 3), MMU and caches off. Core 0 never waits.
//
// Source: Linux' Documentation/arch/arm64/booting.rst, «spin-table»; addresses 0xd8 … 0xf0: the
// device tree of the Raspberry Pi 3 (cpu-release-addr).
#pragma once

#include "drivers/mmio.h"
#include "kernel/base/types.h"

namespace hocket::drivers {

/// Makes a store visible to cores without caches, and wakes them.
struct SpinTableWake {
  static void wake(uintptr_t word) {
    // SAFETY: cleans one line of mapped memory to the point of coherency (Arm ARM, DC CVAC); with
    // the MMU off nothing is in the cache, and it does nothing.
    asm volatile("dc cvac, %0\n\tdsb sy\n\tsev" ::"r"(word) : "memory");
  }
};

template <uintptr_t kTable, class Bus = MemoryBus, class Wake = SpinTableWake>
class SpinTable {
 public:
  /// Starts a core at the *physical* address `entry`. Returns false for core 0, or if the core was
  /// started before. Context: one core at a time, once for each core.
  static bool start(CoreId core, uint64_t entry) {
    if (core == 0 || entry == 0 || Words::read(core) != 0) return false;
    Words::write(core, entry);
    Wake::wake(kTable + core * sizeof(uint64_t));
    return true;
  }

 private:
  using Words = Registers<Bus, uint64_t, kTable>;
};

}  // namespace hocket::drivers
