// Sentences put together without a C library: pieces one after the other into memory of fixed size.
//
//   Text<160> text("loop ", id, " is declared twice: ", file, ":", line);
//   report(text.c_str());
//
// Invariants
// - There is always a 0 at the end.
// - What does not fit is left out, from the first character that does not fit on.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// A number of thousandths as people write it, with exactly three decimals: Fixed3(70'500)
/// is 70.500.
struct Fixed3 {
  uint64_t thousandths;
};

/// Writes into memory of the caller's. Any context; nothing blocks; O(characters).
class TextWriter {
 public:
  /// `size` bytes, the final 0 included; at least 1.
  constexpr TextWriter(char* memory, size_t size) : begin_(memory), size_(size) {
    begin_[0] = '\0';
  }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  /// Adds characters, texts (never null), integers in decimal, and Fixed3, in this order.
  template <class... Pieces>
  constexpr TextWriter& put(const Pieces&... pieces) {
    (add(pieces), ...);
    return *this;
  }

  constexpr const char* c_str() const { return begin_; }
  /// Characters before the final 0.
  constexpr size_t length() const { return length_; }
  /// Something did not fit; what follows is left out too.
  constexpr bool cut() const { return cut_; }

 private:
  constexpr void add(char character) {
    cut_ = cut_ || length_ + 1 >= size_;
    if (cut_) return;
    begin_[length_++] = character;
    begin_[length_] = '\0';
  }
  // Out of line, these three: sentences have many pieces, and nobody hurries to read them.
  [[gnu::noinline]] constexpr void add(const char* text) {
    for (; *text != '\0'; ++text) add(*text);
  }
  template <class Integer>
    requires(__is_integral(Integer) && !Same<Integer, bool>)
  constexpr void add(Integer value) {
    add_number(static_cast<uint64_t>(value), value < 0);
  }
  [[gnu::noinline]] constexpr void add_number(uint64_t value, bool negative) {
    if (negative) add('-');
    add_digits(negative ? 0 - value : value, 1);
  }
  constexpr void add(Fixed3 value) {
    add_digits(value.thousandths / 1000, 1);
    add('.');
    add_digits(value.thousandths % 1000, 3);
  }

  [[gnu::noinline]] constexpr void add_digits(uint64_t value, unsigned at_least) {
    constexpr unsigned kMostDigits = 20;
    char digits[kMostDigits];
    unsigned count = 0;
    for (; value != 0 || count < at_least; value /= 10) {
      digits[count++] = static_cast<char>('0' + value % 10);
    }
    while (count > 0) add(digits[--count]);
  }

  char* begin_;
  size_t size_;
  size_t length_ = 0;
  bool cut_ = false;
};

namespace detail {
template <size_t kSize>
struct TextMemory {
  char memory[kSize];
};
}  // namespace detail

/// A text with its memory: kSize bytes, the final 0 included.
template <size_t kSize>
class Text : private detail::TextMemory<kSize>, public TextWriter {
 public:
  template <class... Pieces>
  constexpr explicit Text(const Pieces&... pieces)
      : TextWriter(detail::TextMemory<kSize>::memory, kSize) {
    put(pieces...);
  }
};

}  // namespace hocket
