// The stacks of a sketch's threads: their addresses in the sketch and in physical memory.
//
//   kStacks │ guard │ stack 0 │ guard │ stack 1 │ guard │ …     addresses grow ─▶
//               └ one page, never mapped
//
// Invariants
// - Stacks are whole pages, in the order of their addresses. Between two of them, before the first
//   and after the last there is a page that no code may access.
// - The pages behind a stack belong to nothing else.
#pragma once

#include "arduino/cores/protected/sketch/image.h"
#include "ports/aarch64/page_pool.h"

namespace hocket::sketch {

struct UserStack {
  uint64_t begin;     // the sketch's address of the lowest byte
  uint64_t size;      // bytes, whole pages
  uint64_t physical;  // address of the pages, which are contiguous

  constexpr uint64_t end() const { return begin + size; }
};

class UserStacks {
 public:
  static constexpr unsigned kMost = 257;  // 256 loops and setup()
  static constexpr unsigned kNone = kMost;

  /// Allocates the next stack: at least `bytes` (more than 0), with pages from `frames`, which are
  /// not cleared. Returns the stack's number, counted from 0; kNone (and nothing has changed) if
  /// there are kMost already or addresses or pages are exhausted. The caller maps it. Context:
  /// boot. O(1).
  unsigned allocate(uint64_t bytes, aarch64::PagePool& frames) {
    if (count_ == kMost || bytes == 0 || bytes > sketch::kStacksEnd - sketch::kStacks) return kNone;
    const uint64_t size = (bytes + kPage - 1) / kPage * kPage;
    const uint64_t begin = next_guard() + kPage;
    if (begin + size + kPage > sketch::kStacksEnd) return kNone;
    const uint64_t physical = frames.take(size / kPage);
    if (physical == aarch64::kNoAddress) return kNone;
    stacks_[count_] = {begin, size, physical};
    return count_++;
  }

  unsigned count() const { return count_; }
  const UserStack& operator[](unsigned number) const { return stacks_[number]; }

  /// The stack that contains an address, or kNone. Any context; O(log count).
  unsigned find(uint64_t address) const {
    const unsigned after = first_beginning_after(address);
    return after > 0 && address < stacks_[after - 1].end() ? after - 1 : kNone;
  }

  /// The stack that has overflowed when `address` was accessed: the one above the guard page that
  /// contains it. kNone: it is in no guard page.
  unsigned find_overrun(uint64_t address) const {
    const unsigned after = first_beginning_after(address);
    const bool guard = after < count_ && stacks_[after].begin - address <= kPage;
    return guard ? after : kNone;
  }

 private:
  uint64_t next_guard() const { return count_ == 0 ? sketch::kStacks : stacks_[count_ - 1].end(); }

  /// The number of the first stack that begins above an address; count_ when there is none.
  unsigned first_beginning_after(uint64_t address) const {
    unsigned low = 0;
    unsigned high = count_;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (stacks_[middle].begin > address) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  UserStack stacks_[kMost] = {};
  unsigned count_ = 0;
};

}  // namespace hocket::sketch
