// Shares of a processor as binary fractions, for arithmetic whose rounding errors have one known
// sign.
//
// A share is a whole number of 2^-62, rounded down. Results are rounded down too, so no result
// exceeds the exact one. Nothing needs a type wider than 64 bits, which not every compiler has;
// spans are below 2^63.
#pragma once

#include "kernel/base/wide_product.h"

namespace hocket {

class Share {
 public:
  static constexpr unsigned kBits = 62;
  static constexpr uint64_t kWhole = uint64_t{1} << kBits;

  constexpr Share() = default;

  /// part / whole. Any value above 1 becomes the same value above 1. Requires 0 < whole ≤ 2^62.
  /// O(1): 62 steps of long division.
  static constexpr Share of(uint64_t part, uint64_t whole) {
    if (part >= whole) return Share(part == whole ? kWhole : kWhole + 1);
    return Share(quotient(0, part, whole, kWhole));
  }

  /// Adds a share. Returns false, and changes nothing, if the sum would exceed 1.
  constexpr bool add(Share other) {
    if (other.bits_ > kWhole - bits_) return false;
    bits_ += other.bits_;
    return true;
  }

  /// span · share. Requires a share below 1.
  constexpr uint64_t portion(uint64_t span) const { return high_product(span, bits_ << 2); }

  /// A share that is not below the exact one.
  constexpr Share rounded_up() const { return Share(bits_ + 1); }

  /// span / (1 − share): how long it takes to get `span` out of what this share leaves, but not
  /// more than `most`. Requires a share of at most 1.
  constexpr uint64_t stretched(uint64_t span, uint64_t most) const {
    const uint64_t left = kWhole - bits_;
    if (left == 0) return most;
    return quotient(span / left, span % left, left, most);
  }

 private:
  constexpr explicit Share(uint64_t bits) : bits_(bits) {}

  /// (high + rest / divisor) · 2^62, rounded down, at most `most`; rest < divisor ≤ 2^62.
  static constexpr uint64_t quotient(uint64_t high, uint64_t rest, uint64_t divisor,
                                     uint64_t most) {
    for (unsigned i = 0; i < kBits; ++i) {
      if (high > most / 2) return most;
      high *= 2;
      rest *= 2;
      if (rest < divisor) continue;
      rest -= divisor;
      ++high;
    }
    return smaller(high, most);
  }

  uint64_t bits_ = 0;
};

}  // namespace hocket
