// Checks whether an image is a sketch that the kernel can map and enter. It trusts nothing in it.
//
// If the check succeeds, the header's parts are in order, on pages of their own and inside their
// region; everything that the header and the table of loops point to is where it belongs; and all
// numbers are within their limits. The sketch cannot write its header or its table, so one check is
// enough, provided that nothing else writes to the image between the check and the last use.
#pragma once

#include "arduino/cores/protected/sketch/image.h"
#include "arduino/runtime/loops.h"

namespace hocket::sketch {

/// The most bytes of thread-local storage that a thread of a sketch may have.
inline constexpr uint64_t kMostThreadStorage = 64 * 1024;
/// The longest file name in a loop's descriptor, including its final 0.
inline constexpr uint64_t kMostFileName = 4096;
/// The most entries in the table of loops.
inline constexpr uint64_t kMostLoops = LoopDescriptor::kHighestId;

/// Rounds up to a page, for addresses up to kStacksEnd.
constexpr uint64_t page_up(uint64_t address) {
  return (address + kPage - 1) / kPage * kPage;
}

/// The end of the image with a good header: the end of its last part that is not empty or zeros.
constexpr uint64_t image_end(const Header& header) {
  if (header.data_end > header.data_begin) return header.data_end;
  return header.rodata_end > header.rodata_begin ? header.rodata_end : header.text_end;
}

/// Checks an image of `size` bytes; `image` must be aligned to 8 bytes. Returns null, or a sentence
/// about the first error, in memory that the next call overwrites. Does not check for loops with
/// the same number: the runtime does, and names both. Context: boot, on one core. O(size of the
/// table and its texts).
const char* check(const void* image, uint64_t size);

/// The first steps of check(), for tests: the header alone, and the table of a good header.
const char* check_header(const Header& header, uint64_t image_size);
const char* check_loops(const Header& header, const void* image);

}  // namespace hocket::sketch
