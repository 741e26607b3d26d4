// Instants and durations as types, so that the compiler refuses to add two instants.
//
// Both count ticks of the port's clock. The representation is wide enough never to wrap in the life
// of a product (architecture: time is always an argument, never read here).
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// A span of time in ticks. May be negative as an intermediate result.
template <class Rep>
class BasicDuration {
 public:
  constexpr BasicDuration() = default;
  explicit constexpr BasicDuration(Rep ticks) : ticks_(ticks) {}
  constexpr Rep ticks() const { return ticks_; }

  friend constexpr BasicDuration operator+(BasicDuration a, BasicDuration b) {
    return BasicDuration(a.ticks_ + b.ticks_);
  }
  friend constexpr BasicDuration operator-(BasicDuration a, BasicDuration b) {
    return BasicDuration(a.ticks_ - b.ticks_);
  }
  friend constexpr BasicDuration operator*(BasicDuration a, Rep n) {
    return BasicDuration(a.ticks_ * n);
  }
  constexpr BasicDuration& operator+=(BasicDuration other) { return *this = *this + other; }
  constexpr BasicDuration& operator-=(BasicDuration other) { return *this = *this - other; }
  friend constexpr bool operator==(BasicDuration a, BasicDuration b) = default;
  friend constexpr bool operator<(BasicDuration a, BasicDuration b) { return a.ticks_ < b.ticks_; }
  friend constexpr bool operator>(BasicDuration a, BasicDuration b) { return b < a; }
  friend constexpr bool operator<=(BasicDuration a, BasicDuration b) { return !(b < a); }
  friend constexpr bool operator>=(BasicDuration a, BasicDuration b) { return !(a < b); }

 private:
  Rep ticks_ = 0;
};

/// A point on the port's clock, in ticks since the board started.
template <class Rep>
class BasicInstant {
 public:
  using Duration = BasicDuration<Rep>;

  constexpr BasicInstant() = default;
  explicit constexpr BasicInstant(Rep ticks) : ticks_(ticks) {}
  constexpr Rep ticks() const { return ticks_; }

  /// Later than every instant that can be reached: «not by itself».
  static constexpr BasicInstant never() { return BasicInstant(kNever); }

  friend constexpr BasicInstant operator+(BasicInstant a, Duration d) {
    return BasicInstant(a.ticks_ + d.ticks());
  }
  friend constexpr BasicInstant operator-(BasicInstant a, Duration d) {
    return BasicInstant(a.ticks_ - d.ticks());
  }
  friend constexpr Duration operator-(BasicInstant a, BasicInstant b) {
    return Duration(a.ticks_ - b.ticks_);
  }
  constexpr BasicInstant& operator+=(Duration d) { return *this = *this + d; }
  constexpr BasicInstant& operator-=(Duration d) { return *this = *this - d; }
  friend constexpr bool operator==(BasicInstant a, BasicInstant b) = default;
  friend constexpr bool operator<(BasicInstant a, BasicInstant b) { return a.ticks_ < b.ticks_; }
  friend constexpr bool operator>(BasicInstant a, BasicInstant b) { return b < a; }
  friend constexpr bool operator<=(BasicInstant a, BasicInstant b) { return !(b < a); }
  friend constexpr bool operator>=(BasicInstant a, BasicInstant b) { return !(a < b); }

 private:
  static constexpr Rep kNever =
      static_cast<Rep>((uint64_t{1} << (8 * sizeof(Rep) - 2)) - 1) * 2 + 1;
  Rep ticks_ = 0;
};

}  // namespace hocket
