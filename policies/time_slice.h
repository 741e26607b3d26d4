// The server of entities that take turns: there is always supply, one slice at a time.
//
// A turn begins when the entity becomes ready, or when its last slice has ended. A preempted entity
// keeps the rest of its slice.
#pragma once

#include "policies/always_usable.h"

namespace hocket {

template <class Rep>
class TimeSlice : public AlwaysUsable<Rep> {
 public:
  using typename AlwaysUsable<Rep>::Instant, typename AlwaysUsable<Rep>::Duration;
  static constexpr bool kLimited = true;

  void reset(Duration slice) { slice_ = slice; }

  /// When the present turn began.
  Instant time() const { return since_; }
  Duration rest() const { return slice_ - used_; }
  void consume(Duration used) { used_ += used; }
  bool unblock(Instant at) {
    refresh(at);
    return true;
  }
  static Instant time_after(Instant at) { return at; }
  bool unblock_unhurried(Instant at) { return unblock(at); }
  /// On a circular clock, for an entity that waits for its turn: replaces an old instant, which
  /// would soon look like a future one, by the oldest legal one. Entities that have waited this
  /// long count as equal.
  void keep_recent(Instant now) { since_ = larger(since_, now - Instant::quarter_turn()); }
  /// Begins a new turn.
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
