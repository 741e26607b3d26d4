// The kernel's final map: each part of the image with the least rights that it needs, the board's
// devices, and the page frames for tables and for the sketch's memory.
#pragma once

#include "ports/aarch64/page_table.h"
#include "ports/contract/port.h"

namespace hocket::memory {

/// Builds the kernel's tables. On core 0, with the coarse map. Returns null, or what is wrong.
const char* prepare(uint64_t devices_begin, uint64_t devices_end);

/// Maps one more range of devices. After prepare(), before use().
const char* map_devices(uint64_t begin, uint64_t end);

/// Maps memory of the world beside a kernel at EL3, at the kernel's addresses: read and write,
/// never execute. After prepare(), before use().
const char* map_beside(uint64_t begin, uint64_t end);

/// A stack for a kernel thread, between pages that are never mapped. Null base: memory is
/// exhausted. After prepare(). Other cores see it at once.
port::Stack kernel_stack(size_t bytes);

/// Switches the calling core to the kernel's final tables; the lower half becomes unmapped.
void use();

/// Free page frames. Frames are never returned.
aarch64::PagePool& frames();

}  // namespace hocket::memory
