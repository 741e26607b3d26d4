// The stacks of a sketch's threads: their addresses in the sketch.
//
//   kStacks │ guard │ stack 0 │ guard │ stack 1 │ guard │ …     addresses grow ─▶
//               └ one page, never mapped
//
// Invariants
// - Stacks are whole pages, in the order of their addresses. Between two of them, before the first
//   and after the last there is a page that no code may access.
#pragma once

#include "arduino/cores/protected/sketch/image.h"
#include "kernel/base/types.h"

namespace hocket::sketch {

struct UserStack {
  uint64_t begin;  // the sketch's address of the lowest byte
  uint64_t size;   // bytes, whole pages

  constexpr uint64_t end() const { return begin + size; }
};

class UserStacks {
 public:
  static constexpr unsigned kMost = 257;  // 256 loops and setup()
  static constexpr unsigned kNone = kMost;

  /// The next stack: at least `bytes` (more than 0). Size 0: there are kMost already, or addresses
  /// are exhausted. The caller finds memory for it, and then calls add(). Context: boot. O(1).
  UserStack next(uint64_t bytes) const {
    constexpr UserStack kNoRoom{0, 0};
    if (count_ == kMost || bytes == 0 || bytes > kStacksEnd - kStacks) return kNoRoom;
    const uint64_t size = (bytes + kPage - 1) / kPage * kPage;
    const uint64_t begin = next_guard() + kPage;
    return begin + size + kPage > kStacksEnd ? kNoRoom : UserStack{begin, size};
  }

  /// `stack`: next()'s.
  void add(const UserStack& stack) { stacks_[count_++] = stack; }

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
  uint64_t next_guard() const { return count_ == 0 ? kStacks : stacks_[count_ - 1].end(); }

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
