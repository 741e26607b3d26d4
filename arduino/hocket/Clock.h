// Clock: the time of day, as seconds since an epoch that the sketch chooses.
//
//   Clock clock;
//   clock.now(1'760'000'000);            sets it, for instance to Unix time
//   Serial.println(clock.now());         1760000000, and one more each second
//
// No board here has a real-time clock that runs on while the board is off. So it counts from the
// board's start until somebody sets it, and is_set() says which: a value before that is no time of
// day. There is one such time; all Clock objects show it. ("Temporal Event Management in EPOS",
// section 2, has a Clock only where there is a real-time clock.)
#pragma once

#include "hocket/Microsecond.h"
#include "hocket/Spinlock.h"

namespace hocket::services {
struct SharedClock {
  Spinlock lock;
  uint64_t seconds = 0;  // at `since`
  uint64_t since = 0;
  bool set = false;
};
inline SharedClock shared_clock;
}  // namespace hocket::services

class Clock {
 public:
  using Second = uint64_t;

  /// Seconds since the epoch of now(seconds); before that, since the board's start. Never blocks.
  static Second now() {
    hocket::services::SharedClock& clock = hocket::services::shared_clock;
    const SpinlockGuard guard(clock.lock);
    return clock.seconds + (hocket::sys::now_ns() - clock.since) / kSecond;
  }
  /// From now on it is this many seconds after the epoch. Never blocks.
  static void now(Second seconds) {
    hocket::services::SharedClock& clock = hocket::services::shared_clock;
    const SpinlockGuard guard(clock.lock);
    clock.since = hocket::sys::now_ns();
    clock.seconds = seconds;
    clock.set = true;
  }
  static bool is_set() {
    hocket::services::SharedClock& clock = hocket::services::shared_clock;
    const SpinlockGuard guard(clock.lock);
    return clock.set;
  }

 private:
  static constexpr uint64_t kSecond = 1'000'000'000;
};
