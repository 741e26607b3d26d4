// Instants and durations as types, so that the compiler refuses to add two instants.
//
// Both count ticks of the port's clock. Time is always passed as an argument and never read here.
// The representation `Rep` decides between two kinds of time:
//
//   64 bits   linear: never wraps in the life of a product, and never() is the last instant
//   less      circular: wraps. Instants are compared by their difference, so only instants less
//             than half the clock's range apart are ordered, and there is no never()
//
//        linear  0 ─────────────────▶ never       circular   earlier ◀── now ──▶ later
//                                                                  ╰─ ½ turn ─╯
//
// An instant of a circular clock that is kept must be replaced before it is a quarter of the
// clock's range old. The kernel does that in Interrupts::refresh and Scheduler::refresh.
// docs/decisions/circular-time.md says why there are two kinds.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Whether instants of this representation wrap.
template <class Rep>
inline constexpr bool kCircularTime = sizeof(Rep) < sizeof(int64_t);

namespace detail {
/// Sum and difference of ticks. On a circular clock an overflow wraps; on a linear clock there is
/// none.
template <class Rep>
constexpr Rep tick_sum(Rep a, Rep b) {
  if constexpr (kCircularTime<Rep>) {
    return static_cast<Rep>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  } else {
    return a + b;
  }
}
template <class Rep>
constexpr Rep tick_difference(Rep a, Rep b) {
  if constexpr (kCircularTime<Rep>) {
    return static_cast<Rep>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
  } else {
    return a - b;
  }
}
/// Whether `a` is before `b` on a circular clock: the sign of their difference. A port may
/// specialise this for its ticks if its processor can compare in fewer instructions than the
/// compiler emits.
template <class Rep>
struct CircularOrder {
  static constexpr bool before(Rep a, Rep b) { return tick_difference(a, b) < 0; }
};
/// Whether a duration is shorter than another one. A port may specialise this, too.
template <class Rep>
struct DurationOrder {
  static constexpr bool less(Rep a, Rep b) { return a < b; }
};
}  // namespace detail

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
  friend constexpr bool operator<(BasicDuration a, BasicDuration b) {
    return detail::DurationOrder<Rep>::less(a.ticks_, b.ticks_);
  }
  friend constexpr bool operator>(BasicDuration a, BasicDuration b) { return b < a; }
  friend constexpr bool operator<=(BasicDuration a, BasicDuration b) { return !(b < a); }
  friend constexpr bool operator>=(BasicDuration a, BasicDuration b) { return !(a < b); }

 private:
  Rep ticks_ = 0;
};

/// A point on the port's clock, in ticks since the board started (circular: since some instant).
template <class Rep>
class BasicInstant {
 public:
  using Duration = BasicDuration<Rep>;
  static constexpr bool kCircular = kCircularTime<Rep>;

  constexpr BasicInstant() = default;
  explicit constexpr BasicInstant(Rep ticks) : ticks_(ticks) {}
  constexpr Rep ticks() const { return ticks_; }

  /// Later than every reachable instant: the event never happens by itself. Linear clocks only.
  static constexpr BasicInstant never()
    requires(!kCircular)
  {
    return BasicInstant(kNever);
  }

  /// The largest distance between the present and an instant in use, in both directions: a quarter
  /// of a circular clock's range. On a linear clock, no instant is that far away.
  static constexpr Duration quarter_turn() { return Duration(kNever / 2); }

  friend constexpr BasicInstant operator+(BasicInstant a, Duration d) {
    return BasicInstant(detail::tick_sum(a.ticks_, d.ticks()));
  }
  friend constexpr BasicInstant operator-(BasicInstant a, Duration d) {
    return BasicInstant(detail::tick_difference(a.ticks_, d.ticks()));
  }
  friend constexpr Duration operator-(BasicInstant a, BasicInstant b) {
    return Duration(detail::tick_difference(a.ticks_, b.ticks_));
  }
  constexpr BasicInstant& operator+=(Duration d) { return *this = *this + d; }
  constexpr BasicInstant& operator-=(Duration d) { return *this = *this - d; }
  friend constexpr bool operator==(BasicInstant a, BasicInstant b) = default;
  friend constexpr bool operator<(BasicInstant a, BasicInstant b) {
    if constexpr (kCircular) {
      return detail::CircularOrder<Rep>::before(a.ticks_, b.ticks_);
    } else {
      return a.ticks_ < b.ticks_;
    }
  }
  friend constexpr bool operator>(BasicInstant a, BasicInstant b) { return b < a; }
  friend constexpr bool operator<=(BasicInstant a, BasicInstant b) { return !(b < a); }
  friend constexpr bool operator>=(BasicInstant a, BasicInstant b) { return !(a < b); }

 private:
  static constexpr Rep kNever =
      static_cast<Rep>((uint64_t{1} << (8 * sizeof(Rep) - 2)) - 1) * 2 + 1;
  Rep ticks_ = 0;
};

}  // namespace hocket
