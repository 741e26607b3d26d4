// A core's timer: the port's alarm, set for the next decision. Two ways.
//
//   linear clocks     set for exactly that instant, off when there is none
//   circular clocks   an earlier request stays in force, and one is always there
//
// The second is for small processors: setting the timer costs more than the interrupt for nothing
// that an early request may lead to, since most loops rest before their limit and go on with
// another one. Some interrupt comes in time for the next refresh in any case (refresh_at), since a
// circular clock's instants must be replaced before they look like future ones
// (SmallVcpuPolicy::refresh).
//
// All functions: masked, the core's lock held.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Port, bool kCircular = kCircularTime<typename Port::Ticks>>
class DecisionTimer {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;

  void reset(Instant /*now*/) { at_ = Instant::never(); }
  /// Its interrupt has come.
  void fired() { at_ = Instant::never(); }
  /// never(): off.
  HOCKET_IN_LINE void set(Instant next) {
    if (next == at_) return;
    at_ = next;
    if (next == Instant::never()) return Port::alarm_off();
    Port::alarm_set(next.ticks());
  }

 private:
  Instant at_ = Instant::never();
};

template <class Port>
class DecisionTimer<Port, true> {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;
  using Duration = BasicDuration<typename Port::Ticks>;

  void reset(Instant now) {
    refreshed(now);
    fired();
  }
  /// Its interrupt has come: any request is earlier than what is kept now.
  void fired() { at_ = refresh_at_ + Instant::quarter_turn(); }
  /// For `next` at the latest, where that is `wanted`.
  [[gnu::always_inline]] void set(bool wanted, Instant next) {
    if (!wanted || next < at_) set_earlier(wanted, next);
  }

  bool refresh_due(Instant now) const { return refresh_at_ <= now; }
  void refreshed(Instant now) { refresh_at_ = now + kRefreshGap; }

 private:
  // A quarter of a turn with a margin: the interrupt may be late.
  static constexpr Duration kRefreshGap{Instant::quarter_turn().ticks() / 2};

  [[gnu::noinline]] void set_earlier(bool wanted, Instant next) {
    if (!wanted || refresh_at_ < next) next = refresh_at_;
    if (at_ <= next) return;
    at_ = next;
    Port::alarm_set(next.ticks());
  }

  Instant at_;
  Instant refresh_at_;
};

}  // namespace hocket
