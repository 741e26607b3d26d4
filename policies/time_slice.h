// The server of entities that take turns: there is always supply, a slice at a time.
//
// A turn begins when its owner becomes ready, or when its last slice has ended. Who is preempted
// has the rest of its slice.
#pragma once

#include "policies/always_usable.h"

namespace hocket {

template <class Rep>
class TimeSlice : public AlwaysUsable<Rep> {
 public:
  using typename AlwaysUsable<Rep>::Instant, typename AlwaysUsable<Rep>::Duration;
  static constexpr bool kLimited = true;

  void reset(Duration slice) { slice_ = slice; }

  /// Since when its turn.
  Instant time() const { return since_; }
  Duration rest() const { return slice_ - used_; }
  void consume(Duration used) { used_ += used; }
  bool unblock(Instant at) {
    refresh(at);
    return true;
  }
  static Instant time_after(Instant at) { return at; }
  bool unblock_unhurried(Instant at) { return unblock(at); }
  /// On a circular clock, of who waits for its turn: an instant that would soon look like one to
  /// come becomes the latest that it may be. (Who has waited for so long is as good as each other.)
  void keep_recent(Instant now) { since_ = larger(since_, now - Instant::quarter_turn()); }
  /// A new turn.
  void refresh(Instant at) {
    since_ = at;
    used_ = Duration(0);
  }

 private:
  Duration slice_;
  Duration used_;
  Instant since_;
};

}  // namespace hocket
