// The server of entities that take turns: there is always supply, a slice at a time.
//
// A turn begins when its owner becomes ready, or when its last slice has ended. Who is preempted
// has the rest of its slice.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Rep>
class TimeSlice {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static constexpr bool kLimited = true;

  void reset(Duration slice) { slice_ = slice; }

  static bool usable(Instant) { return true; }
  /// Since when its turn.
  Instant time() const { return since_; }
  Duration rest() const { return slice_ - used_; }
  void consume(Duration used) { used_ += used; }
  bool unblock(Instant at) {
    refresh(at);
    return true;
  }
  bool unblock_unhurried(Instant at) { return unblock(at); }
  /// A new turn.
  void refresh(Instant at) {
    since_ = at;
    used_ = Duration(0);
  }
  static void use_up(Duration) {}
  static void stop(Duration) {}
  static void join_crumbs(Duration) {}

 private:
  Duration slice_;
  Duration used_;
  Instant since_;
};

}  // namespace hocket
