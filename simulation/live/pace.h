// The board's time against this computer's: so many seconds of the board's in each second.
#pragma once

#include <cstdint>

#include "simulation/devices/devices.h"

namespace hocket::live {

using sim::Nanos;

class Pace {
 public:
  static constexpr Nanos kNever = UINT64_MAX;

  /// `clock`: this computer's nanoseconds, from anywhere.
  static Nanos clock();

  /// From here and now on; 0: as fast as it goes.
  void begin(Nanos here, double times);
  double times() const { return times_; }
  /// How far the board may have come `later` from now; what it could not keep up with is forgotten.
  Nanos limit(Nanos here, Nanos later = 0);
  /// Until it may have come there, in this computer's nanoseconds; kNever: too long to be told.
  Nanos until(Nanos there) const;

 private:
  double times_ = 1;
  Nanos board_ = 0, computer_ = 0;  // when it began
};

}  // namespace hocket::live
