// What every core does first in C++, and what an image must supply.
//
// start.S calls hocket_kernel_start(core) on each core, masked, at the kernel's addresses, with the
// coarse map. An image prepares itself with the functions here and never returns.
#pragma once

#include "ports/aarch64/interrupts.h"

extern "C" {
/// Supplied by the image.
[[noreturn]] void hocket_kernel_start(uint64_t core);
/// Supplied by the image: says why everything stops, if it can, and stops it.
[[noreturn]] void hocket_halt(const char* reason);

/// Where other cores begin (a physical address at which the MMU is off).
void hocket_start();
extern char hocket_boot_stacks_end[];

/// From the coarse map to the kernel's final table, with one that has nothing in it for the lower
/// half; what is writable is never executed from here on (maps.S). Masked.
void hocket_use_final_map(uint64_t kernel, uint64_t nothing);
}

namespace hocket::aarch64 {

/// The core's own data, and EL0's right to read the virtual counter (CNTKCTL_EL1.EL0VCTEN, DDI
/// 0487, D17.11.14). Before anything that asks which core it is.
void init_core(CoreId core);

/// Makes the image's global objects: core 0, after init_core, before any of them is used.
void construct_globals();

/// The physical address of something in the kernel's image.
inline uint64_t physical(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer) - HOCKET_KERNEL_OFFSET;
}

}  // namespace hocket::aarch64
