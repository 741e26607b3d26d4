// Physical memory that is handed out page by page and never returned: page tables, stacks, a
// sketch's data.
//
// A pool knows where its memory is physically, and where the caller reaches it: at physical address
// + window. The window is 0 while the MMU is off, and the kernel's offset after that. No page is
// given back: a board's memory is divided once.
#pragma once

#include "kernel/base/types.h"

namespace hocket::aarch64 {

inline constexpr uint64_t kPageSize = 4096;
/// No address. It differs from every page-aligned value.
inline constexpr uint64_t kNoAddress = UINT64_MAX;

constexpr bool page_aligned(uint64_t value) {
  return value % kPageSize == 0;
}

/// Context: boot, or with the other cores kept out. Never blocks.
class PagePool {
 public:
  constexpr PagePool() = default;
  /// The whole pages inside [physical, physical + size), which must be unused ordinary memory.
  constexpr PagePool(uint64_t physical, uint64_t size, uint64_t window = 0) : window_(window) {
    if (size > UINT64_MAX - kPageSize || physical > UINT64_MAX - kPageSize - size) return;
    const uint64_t end = (physical + size) / kPageSize * kPageSize;
    next_ = (physical + kPageSize - 1) / kPageSize * kPageSize;
    end_ = next_ < end ? end : next_;
  }

  /// Returns the physical address of `pages` consecutive pages, with their contents unchanged.
  /// Returns kNoAddress, and takes nothing, if there are not enough. O(1).
  constexpr uint64_t take(uint64_t pages) {
    if (pages > left()) return kNoAddress;
    const uint64_t taken = next_;
    next_ += pages * kPageSize;
    return taken;
  }

  constexpr uint64_t left() const { return (end_ - next_) / kPageSize; }

  /// The address at which the caller reaches physical memory.
  template <class T>
  T* at(uint64_t physical) const {
    // SAFETY: the pool's owner promises that the window maps all of its memory.
    return reinterpret_cast<T*>(static_cast<uintptr_t>(physical + window_));
  }

 private:
  uint64_t next_ = 0;
  uint64_t end_ = 0;
  uint64_t window_ = 0;
};

}  // namespace hocket::aarch64
