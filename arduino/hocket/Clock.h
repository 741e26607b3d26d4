// Clock: the time of day, as seconds since an epoch that the sketch chooses.
//
//   Clock clock;
//   clock.now(1'760'000'000);            sets it, for instance to Unix time
//   Serial.println(clock.now());         1760000000, and one more each second
//
// No board here has a real-time clock that runs while the board is off. The clock counts from the
// board's start until it is set. is_set() tells the two cases apart: before that, a value is not a
// time of day. All Clock objects show the same time. ("Temporal Event Management in EPOS", section
// 2, has a Clock only where there is a real-time clock.)
#pragma once

#include "arduino/runtime/sketch_clock.h"
#include "hocket/Microsecond.h"
#include "hocket/Spinlock.h"
#include "kernel/time/time_of_day.h"

namespace hocket::services {
inline TimeOfDay<SketchClock, Spinlock, SpinlockGuard> time_of_day;
}

class Clock {
 public:
  using Second = uint64_t;

  /// Seconds since the epoch that now(seconds) has set; before that, since the board's start. Never
  /// blocks.
  static Second now() { return hocket::services::time_of_day.seconds(); }
  /// Sets the time to this many seconds since the epoch. Never blocks.
  static void now(Second seconds) { hocket::services::time_of_day.set(seconds); }
  static bool is_set() { return hocket::services::time_of_day.is_set(); }
};
