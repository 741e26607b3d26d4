// The first C++ code of each core, and the functions that an image must supply.
//
// start.S calls hocket_kernel_start(core) on each core, masked, at the kernel's addresses, with the
// coarse map. An image initialises itself with the functions below, and never returns.
#pragma once

#include "ports/aarch64/interrupts.h"

extern "C" {
/// Supplied by the image.
[[noreturn]] void hocket_kernel_start(uint64_t core);
/// Supplied by the image: reports the reason if it can, and stops everything.
[[noreturn]] void hocket_halt(const char* reason);

/// The entry of other cores (a physical address, entered with the MMU off).
void hocket_start();
extern char hocket_boot_stacks_end[];

/// Changes from the coarse map to the kernel's final table; `nothing` is an empty table for the
/// lower half. From here on, no writable memory is executable (maps.S). Masked.
void hocket_use_final_map(uint64_t kernel, uint64_t nothing);
}

namespace hocket::aarch64 {

/// Initialises the core's own data, and EL0's right to read the virtual counter
/// (CNTKCTL_EL1.EL0VCTEN, DDI 0487, D17.11.14). Call this before anything that uses the core's
/// number.
void init_core(CoreId core);

/// Constructs the image's global objects. On core 0, after init_core, before any of them is used.
void construct_globals();

/// The physical address of an object in the kernel's image.
inline uint64_t physical(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer) - HOCKET_KERNEL_OFFSET;
}

}  // namespace hocket::aarch64
