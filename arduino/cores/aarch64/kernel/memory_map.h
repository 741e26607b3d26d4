// The kernel's final map: each part of the image with no more rights than it needs, the board's
// devices, and the page frames that tables and the sketch's memory are made of.
#pragma once

#include "ports/aarch64/page_table.h"
#include "ports/contract/port.h"

namespace hocket::memory {

/// Makes the kernel's tables. Core 0, with the coarse map. Null, or what is wrong.
const char* prepare(uint64_t devices_begin, uint64_t devices_end);

/// One more range of devices (a board may have several). After prepare(), before use().
const char* map_devices(uint64_t begin, uint64_t end);

/// Memory of the world beside a kernel at EL3, at the kernel's addresses: read and written, never
/// executed. After prepare(), before use().
const char* map_beside(uint64_t begin, uint64_t end);

/// A stack for a thread of the kernel, with pages around it that are never mapped. Null base: no
/// memory. After prepare(); other cores see it at once.
port::Stack kernel_stack(size_t bytes);

/// Makes the calling core use the kernel's final tables, and nothing below the kernel's half.
void use();

/// Page frames; what is taken is never given back.
aarch64::PagePool& frames();

}  // namespace hocket::memory
