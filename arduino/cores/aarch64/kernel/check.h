// Is this image a sketch that the kernel can map and enter? Everything it says is doubted.
//
// After a good answer the header's parts are in order, on pages of their own and inside their
// region, everything that the header and the table of loops point to is where it belongs, and all
// numbers are within their limits. The sketch cannot write its header or its table: one check is
// enough, provided that nothing else writes to the image between the check and the last use.
#pragma once

#include "arduino/cores/aarch64/sketch/image.h"
#include "arduino/runtime/loops.h"

namespace hocket::sketch {

/// Most thread-local storage that a thread of a sketch may have.
inline constexpr uint64_t kMostThreadStorage = 64 * 1024;
/// Longest name of a file in a loop's descriptor, its final 0 included.
inline constexpr uint64_t kMostFileName = 4096;
/// Most entries in the table of loops.
inline constexpr uint64_t kMostLoops = LoopDescriptor::kHighestId;

/// Rounded up to a page, for addresses up to kStacksEnd.
constexpr uint64_t page_up(uint64_t address) {
  return (address + kPage - 1) / kPage * kPage;
}

/// Where the image ends that belongs to a good header: with its last part that is not empty or
/// zeros.
constexpr uint64_t image_end(const Header& header) {
  if (header.data_end > header.data_begin) return header.data_end;
  return header.rodata_end > header.rodata_begin ? header.rodata_end : header.text_end;
}

/// Checks an image of `size` bytes; `image` is aligned to 8 bytes. Null, or a sentence about the
/// first thing that is wrong, in memory that the next call overwrites. Loops with the same number
/// are found by the runtime, which names both. Context: boot, on one core. O(size of the table and
/// its texts).
const char* check(const void* image, uint64_t size);

/// The first steps of check(), for tests: the header alone, and the table under a good header.
const char* check_header(const Header& header, uint64_t image_size);
const char* check_loops(const Header& header, const void* image);

}  // namespace hocket::sketch
