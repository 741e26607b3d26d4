// Text output without a C library: appends pieces to a buffer of fixed size.
//
//   Text<160> text("loop ", id, " is declared twice: ", file, ":", line);
//   report(text.c_str());
//
// The text always ends with a 0. What does not fit is cut off at the first character that does not
// fit.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// A number of thousandths, printed with exactly three decimals: Fixed3(70'500) is 70.500.
struct Fixed3 {
  uint64_t thousandths;
};

/// Writes into the caller's memory. Any context; never blocks; O(characters).
class TextWriter {
 public:
  /// `size` is in bytes, includes the final 0, and is at least 1.
  constexpr TextWriter(char* memory, size_t size) : begin_(memory), size_(size) {
    begin_[0] = '\0';
  }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  /// Appends characters, strings (never null), decimal integers and Fixed3, in this order. This
  /// expands in line to nothing but calls: one function for each combination of pieces would be
  /// larger.
  template <class... Pieces>
  [[gnu::always_inline]] constexpr TextWriter& put(const Pieces&... pieces) {
    TextWriter* self = this;  // passed from call to call, so that no register must hold it
    ((self = &self->add(pieces)), ...);
    return *self;
  }

  constexpr const char* c_str() const { return begin_; }
  /// Characters before the final 0.
  constexpr size_t length() const { return length_; }
  /// True if something did not fit. All that follows is cut off too.
  constexpr bool cut() const { return cut_; }

 private:
  constexpr void append(char character) {
    cut_ = cut_ || length_ + 1 >= size_;
    if (cut_) return;
    begin_[length_++] = character;
    begin_[length_] = '\0';
  }
  // Out of line: sentences have many pieces, and speed does not matter here.
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

/// A text with its own memory of kSize bytes, including the final 0.
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
