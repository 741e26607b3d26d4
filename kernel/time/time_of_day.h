// The time of day: seconds since an epoch that the application chooses. No board here has a clock
// that runs while the board is off, so the time counts from the board's start until it is set.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// `Clock` has now() in ticks, and kTicksPerMicrosecond. `Guard` holds a `Lock` from its
/// construction to its destruction. Calls are legal from any thread, and block only on the lock.
template <class Clock, class Lock, class Guard>
class TimeOfDay {
  static constexpr uint64_t kTicksPerSecond = uint64_t{Clock::kTicksPerMicrosecond} * 1'000'000;

 public:
  /// Seconds since the epoch. Before set(), seconds since the board's start.
  uint64_t seconds() {
    const Guard guard(lock_);
    return seconds_ + (Clock::now() - since_) / kTicksPerSecond;
  }
  void set(uint64_t seconds) {
    const Guard guard(lock_);
    since_ = Clock::now();
    seconds_ = seconds;
    set_ = true;
  }
  bool is_set() {
    const Guard guard(lock_);
    return set_;
  }

 private:
  Lock lock_;
  uint64_t seconds_ = 0;  // at `since_`
  uint64_t since_ = 0;
  bool set_ = false;
};

}  // namespace hocket
