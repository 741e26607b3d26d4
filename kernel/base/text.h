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
  /// In line, with nothing in line but calls: a function of its own for each kind of sentence would
  /// be larger than they are.
  template <class... Pieces>
  [[gnu::always_inline]] constexpr TextWriter& put(const Pieces&... pieces) {
    TextWriter* self = this;  // from call to call, so that its place need not be kept
    ((self = &self->add(pieces)), ...);
    return *self;
  }

  constexpr const char* c_str() const { return begin_; }
  /// Characters before the final 0.
  constexpr size_t length() const { return length_; }
  /// Something did not fit; what follows is left out too.
  constexpr bool cut() const { return cut_; }

 private:
  constexpr void append(char character) {
    cut_ = cut_ || length_ + 1 >= size_;
    if (cut_) return;
    begin_[length_++] = character;
    begin_[length_] = '\0';
  }
  // Out of line: sentences have many pieces, and nobody hurries to read them.
  [[gnu::noinline, gnu::cold]] constexpr TextWriter& add(char character) {
    append(character);
    return *this;
  }
  [[gnu::noinline, gnu::cold]] constexpr TextWriter& add(const char* text) {
    for (; *text != '\0'; ++text) append(*text);
    return *this;
  }
  template <class Integer>
    requires(__is_integral(Integer) && !Same<Integer, bool>)
  [[gnu::always_inline]] constexpr TextWriter& add(Integer value) {
    if constexpr (static_cast<Integer>(-1) < Integer{0}) {
      return add_signed(value);
    } else {
      return add_digits(value, 1);
    }
  }
  [[gnu::noinline, gnu::cold]] constexpr TextWriter& add_signed(int64_t value) {
    if (value < 0) append('-');
    const auto magnitude = static_cast<uint64_t>(value);
    return add_digits(value < 0 ? 0 - magnitude : magnitude, 1);
  }
  [[gnu::noinline, gnu::cold]] constexpr TextWriter& add(Fixed3 value) {
    add_digits(value.thousandths / 1000, 1);
    append('.');
    return add_digits(value.thousandths % 1000, 3);
  }
  [[gnu::noinline, gnu::cold]] constexpr TextWriter& add_digits(uint64_t value, unsigned at_least) {
    constexpr unsigned kMostDigits = 20;
    char digits[kMostDigits];
    unsigned count = 0;
    for (; value != 0 || count < at_least; value /= 10) {
      digits[count++] = static_cast<char>('0' + value % 10);
    }
    while (count > 0) append(digits[--count]);
    return *this;
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
