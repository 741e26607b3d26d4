// Keeps the board's time in a fixed ratio to the host's time.
#pragma once

#include <cstdint>

#include "simulation/devices/devices.h"

namespace hocket::live {

using sim::Nanos;

class Pace {
 public:
  static constexpr Nanos kNever = UINT64_MAX;

  /// Host time in nanoseconds, from an arbitrary origin.
  static Nanos clock();

  /// Starts from the board's instant `here` at `times` the host's speed; 0: as fast as possible.
  void begin(Nanos here, double times);
  double times() const { return times_; }
  /// How far the board may have advanced at `later` from now. A delay that it cannot catch up with
  /// is forgotten.
  Nanos limit(Nanos here, Nanos later = 0);
  /// Host nanoseconds until the board may be at `there`; kNever: too long to compute.
  Nanos until(Nanos there) const;

 private:
  double times_ = 1;
  Nanos board_ = 0, computer_ = 0;  // both clocks at the start
};

}  // namespace hocket::live
