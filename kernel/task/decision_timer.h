// A core's timer: the port's alarm, set to the next decision, and off if there is none.
//
// On a circular clock, old instants must be replaced before they look like future ones
// (Scheduler::refresh). The timer is therefore set at the latest to the next refresh.
//
// Legal context of all functions: interrupts masked, the core's lock held. Instants are in ticks of
// the port's clock.
#pragma once

#include "kernel/base/time.h"
#include "ports/contract/port.h"

namespace hocket {

template <class Port, unsigned kSlots, bool kCircular = kCircularTime<typename Port::Ticks>>
class DecisionTimer {
 public:
  using Instant = BasicInstant<typename Port::Ticks>;

  void reset(Instant /*now*/) { at_ = Instant::never(); }
  /// The timer's interrupt has arrived.
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

/// For ports where setting the alarm again costs less than remembering its old value.
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
  /// Sets the alarm even if its value is the same: setting it costs less than remembering it.
  static void set(Instant next) { Port::alarm_set(next.ticks()); }

  Instant latest() const { return refresh_at_; }
  bool refresh_due(Instant now) const { return refresh_at_ <= now; }
  /// Returns the slot to refresh now, and sets the instant of the next refresh.
  unsigned next_slot(Instant now) {
    refresh_at_ = now + kRefreshGap;
    slot_ = static_cast<uint8_t>((slot_ == 0 ? kSlots : slot_) - 1);
    return slot_;
  }

 private:
  // All slots are refreshed within half a quarter of the clock's range, because interrupts may be
  // late.
  static constexpr Duration kRefreshGap{Instant::quarter_turn().ticks() / 2 / kSlots};

  Instant refresh_at_;
  uint8_t slot_ = 0;
};

}  // namespace hocket
