// A core's timer: the port's alarm, set for exactly the next decision, off when there is none.
//
// On a circular clock some interrupt comes in time for the next refresh in any case, since its
// instants must be replaced before they look like future ones (Scheduler::refresh).
//
// All functions: masked, the core's lock held.
#pragma once

#include "kernel/base/time.h"
#include "ports/contract/port.h"

namespace hocket {

template <class Port, unsigned kSlots, bool kCircular = kCircularTime<typename Port::Ticks>>
class DecisionTimer {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;

  void reset(Instant /*now*/) { at_ = Instant::never(); }
  /// Its interrupt has come.
  void fired() { at_ = Instant::never(); }
  static constexpr Instant latest() { return Instant::never(); }
  HOCKET_IN_LINE void set(Instant next) {
    if (next == at_) return;
    at_ = next;
    if (next == Instant::never()) return Port::alarm_off();
    Port::alarm_set(next.ticks());
  }

 private:
  Instant at_;
};

/// Where that is shorter than knowing what it is set for.
template <class Port, unsigned kSlots>
  requires(Port::kOptions.short_alarm)
class DecisionTimer<Port, kSlots, false> {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;

  static void reset(Instant /*now*/) {}
  static void fired() {}
  static constexpr Instant latest() { return Instant::never(); }
  static void set(Instant next) { Port::alarm_set(next.ticks()); }
};

template <class Port, unsigned kSlots>
class DecisionTimer<Port, kSlots, true> {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;
  using Duration = BasicDuration<typename Port::Ticks>;

  void reset(Instant now) { refresh_at_ = now + kRefreshGap; }
  static void fired() {}
  /// It is set again even for the same instant: that is shorter than knowing it.
  static void set(Instant next) { Port::alarm_set(next.ticks()); }

  Instant latest() const { return refresh_at_; }
  bool refresh_due(Instant now) const { return refresh_at_ <= now; }
  /// The slot whose turn it is now.
  unsigned next_slot(Instant now) {
    refresh_at_ = now + kRefreshGap;
    slot_ = static_cast<uint8_t>((slot_ == 0 ? kSlots : slot_) - 1);
    return slot_;
  }

 private:
  // All slots have had their turn in half a quarter of a turn of the clock: interrupts may be late.
  static constexpr Duration kRefreshGap{Instant::quarter_turn().ticks() / 2 / kSlots};

  Instant refresh_at_;
  uint8_t slot_ = 0;
};

}  // namespace hocket
