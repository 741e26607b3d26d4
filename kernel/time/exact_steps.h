// Equal steps whose length is no whole number of ticks: after n of them the sum is n lengths,
// rounded to the nearest tick, for any n.
//
//   length 11.52 ticks:   steps 12 11 12 11 12 11 12 12 11 …   25 steps are 288 = 25 · 11.52 ticks
//
// The part of a tick that is left over is carried from step to step (Bresenham's line algorithm,
// IBM Systems Journal 4(1), 1965). Nothing is carried where a length is whole: then it costs
// nothing.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <uint32_t kDenominator>
class ExactSteps {
  static_assert(kDenominator > 0 && kDenominator < 0x80000000);
  template <bool kShort, class = void>
  struct PartFor {
    using Type = uint16_t;
  };
  template <class Unused>
  struct PartFor<false, Unused> {
    using Type = uint32_t;
  };
  using Part = typename PartFor<kDenominator <= 0x8000>::Type;

 public:
  constexpr ExactSteps() = default;
  /// A step has (ticks beside these) rest/kDenominator ticks; rest < kDenominator.
  explicit constexpr ExactSteps(uint32_t rest) : rest_(static_cast<Part>(rest)) {}

  /// Ticks that the next step has more than its whole ones: 0 or 1.
  constexpr uint8_t next() {
    carried_ = static_cast<Part>(carried_ + rest_);
    if (carried_ < kDenominator) return 0;
    carried_ = static_cast<Part>(carried_ - kDenominator);
    return 1;
  }

 private:
  Part rest_ = 0;
  Part carried_ = kDenominator / 2;  // so that the sums are rounded to the nearest
};

template <>
class ExactSteps<1> {
 public:
  constexpr ExactSteps() = default;
  explicit constexpr ExactSteps(uint32_t) {}
  static constexpr uint8_t next() { return 0; }
};

}  // namespace hocket
