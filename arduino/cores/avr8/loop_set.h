// A set of loops, by their places in the image's table (board_loops.h): a byte of bits if that is
// enough, else an array of them. A loop's mark is worked out once, outside of masked sections.
#pragma once

#include <stdint.h>

namespace hocket::uno {

template <unsigned kLoops, bool kSmall = kLoops <= 8>
struct [[gnu::packed]] LoopSet {
  using Mark = uint8_t;
  uint8_t bits;

  static constexpr Mark mark(unsigned place) { return static_cast<Mark>(1 << place); }
  bool empty() const { return bits == 0; }
  bool has(Mark mark) const { return (bits & mark) != 0; }
  void add(Mark mark) { bits |= mark; }
  void remove(Mark mark) { bits &= static_cast<uint8_t>(~mark); }
  void clear() { bits = 0; }
  /// Calls visit(first + place) for each, and empties the set.
  template <class At, class Visit>
  void take_each(At first, Visit visit) {
    for (; bits != 0; bits >>= 1, ++first) {
      if ((bits & 1) != 0) visit(first);
    }
  }
};

template <unsigned kLoops>
struct [[gnu::packed]] LoopSet<kLoops, false> {
  struct Mark {
    uint8_t byte, bit;
  };
  static constexpr uint8_t kBytes = (kLoops + 7) / 8;
  uint8_t count;  // of the loops in it
  uint8_t bytes[kBytes];

  static constexpr Mark mark(unsigned place) {
    return {static_cast<uint8_t>(place / 8), static_cast<uint8_t>(1 << place % 8)};
  }
  bool empty() const { return count == 0; }
  bool has(Mark mark) const { return (bytes[mark.byte] & mark.bit) != 0; }
  void add(Mark mark) {
    if (has(mark)) return;
    bytes[mark.byte] |= mark.bit;
    ++count;
  }
  void remove(Mark mark) {
    if (!has(mark)) return;
    bytes[mark.byte] &= static_cast<uint8_t>(~mark.bit);
    --count;
  }
  void clear() {
    for (uint8_t& byte : bytes) byte = 0;
    count = 0;
  }
  /// Calls visit(first + place) for each, and empties the set.
  template <class At, class Visit>
  void take_each(At first, Visit visit) {
    for (uint8_t* byte = bytes; count != 0; ++byte, first += 8) {
      At at = first;
      for (; *byte != 0; *byte >>= 1, ++at) {
        if ((*byte & 1) == 0) continue;
        --count;
        visit(at);
      }
    }
  }
};

}  // namespace hocket::uno
