// Events after an interval, n times or for ever: an alarm that counts in microseconds.
//
// Invariants
// - The n-th event is due at start + n · interval, rounded to the nearest tick, for all n: the part
//   of a tick that an interval leaves over is carried (exact_steps.h). Lateness never adds up.
// - An instant that was missed is made up for: every event's handler is called, in order.
// - On a circular clock an interval longer than instants have an order is waited for in laps:
//
//     start --ticks--> | --lap--> | --lap--> | event --ticks--> | …
//
//   A lap is an eighth of a turn.
//
// Built on the kernel's queue (alarm_queue.h). Where intervals are whole ticks and instants never
// wrap, an alarm is an entry of that queue and nothing is computed at an event.
#pragma once

#include "kernel/task/kernel.h"
#include "kernel/time/exact_steps.h"
#include "kernel/time/handler.h"
#include "kernel/time/microseconds.h"

namespace hocket {

template <class K>
class PeriodicAlarm {
  using Port = typename K::Processor;
  using Entry = typename K::Alarm;
  using Instant = typename K::Instant;
  using Duration = typename K::Duration;
  using Ticks = typename Port::Ticks;
  using Scale = TickScale<Port::kTickHz>;

 public:
  static constexpr uint32_t kForever = Entry::kForever;

  PeriodicAlarm() = default;
  PeriodicAlarm(const PeriodicAlarm&) = delete;
  PeriodicAlarm& operator=(const PeriodicAlarm&) = delete;
  ~PeriodicAlarm() { cancel(); }

  /// `handler` at now + interval, then every interval, `times` times in all, in this core's timer
  /// interrupt. False, and nothing is changed, when the core has as many alarms as it can, this one
  /// is active, `times` is 0, or it is to come several times without an interval. Thread or
  /// handler; never blocks; O(log alarms).
  bool start(const Microseconds& interval, const Handler& handler, uint32_t times = 1) {
    if (!set(interval, handler, times)) return false;
    entry_.due += K::now() - Instant();  // now, since converting the interval may have taken long
    return K::start_alarm(entry_);
  }

  /// The same, counted from `base`, which may have passed: what was missed since comes at once.
  // (By reference: clang 19 for AVR goes wrong where arguments do not fit into registers,
  // docs/porting/avr8.md.)
  bool start_from(Instant base, const Microseconds& interval, const Handler& handler,
                  uint32_t times = 1) {
    if (!set(interval, handler, times)) return false;
    entry_.due += base - Instant();
    return K::start_alarm(entry_);
  }

  /// No event comes any more; when it returns no handler of this alarm runs. From threads of any
  /// core, and from handlers of the alarm's own core, its own included. Never blocks; waits for a
  /// handler that runs on another core at that moment.
  void cancel() { K::cancel_alarm(entry_, core_); }

  /// Whether an event is to come. Any context; between an event and the next one's start another
  /// core may see false.
  bool active() const { return entry_.active(); }

  /// The calling thread sleeps for at least that long, also for longer than a circular clock's
  /// instants have an order. The tick that has begun does not count, so it is up to two ticks more.
  static void delay(Microseconds span) {
    if (span == Microseconds(0)) return;
    uint64_t left = Scale::ticks_up(span) + 1;
    Instant until = K::now();
    if constexpr (Instant::kCircular) {
      for (; left > uint32_t{kLap}; left -= kLap) K::sleep_until(until += Duration(kLap));
    }
    K::sleep_until(until + Duration(static_cast<Ticks>(left)));
  }

 private:
  // The queue repeats intervals that are whole ticks of a clock that never wraps by itself.
  static constexpr bool kPlain = Scale::kDenominator == 1 && !Instant::kCircular;
  // An eighth of a turn of a circular clock, a power of two.
  static constexpr Ticks kLap = Instant::quarter_turn().ticks() / 2 + 1;

  struct Nothing {};
  struct State {
    Handler handler;
    Duration ticks;  // of an interval, beside its laps
    [[no_unique_address]] ExactSteps<Scale::kDenominator> steps;
    uint32_t laps = 0;   // of an interval
    uint32_t piece = 0;  // that comes to its end next: 0 is the ticks, others are laps
    uint32_t times = 0;  // events to come, where intervals have laps
  };
  template <bool kIsPlain>
  struct Choice {
    using Type = State;
  };
  template <>
  struct Choice<true> {
    using Type = Nothing;
  };

  /// Everything but where it counts from: `due` is the first piece's length.
  bool set(const Microseconds& interval, const Handler& handler, uint32_t times) {
    if (active() || times == 0 || (times > 1 && interval == Microseconds(0))) return false;
    core_ = Port::core_id();
    entry_.times = times;
    ExactTicks length = Scale::exact(interval);
    if constexpr (kPlain) {
      entry_.handler = handler.call;
      entry_.argument = handler.argument;
      entry_.period = Duration(static_cast<Ticks>(length.whole));
      entry_.due = Instant() + entry_.period;
    } else {
      if constexpr (Instant::kCircular) {
        state_.laps = static_cast<uint32_t>(length.whole / uint32_t{kLap});
        length.whole %= uint32_t{kLap};
        state_.piece = 0;
        state_.times = times;
        if (state_.laps > 0) entry_.times = kForever;
      }
      state_.handler = handler;
      state_.ticks = Duration(static_cast<Ticks>(length.whole));
      state_.steps = ExactSteps<Scale::kDenominator>(length.rest);
      entry_.paced = true;
      entry_.handler = Instant::kCircular && state_.laps > 0 ? &pass_with_laps : &pass;
      entry_.argument = this;
      entry_.due = Instant() + next_ticks();
      entry_.period = state_.laps > 0 ? Duration(kLap) : next_ticks();
    }
    return true;
  }

  Duration next_ticks() { return state_.ticks + Duration(state_.steps.next()); }

  // In the timer interrupt, at the end of a piece. The queue has added `period`, the next piece, to
  // the entry already: the one after that is decided here.

  static void pass(void* argument) {
    auto& self = *static_cast<PeriodicAlarm*>(argument);
    self.entry_.period = self.next_ticks();
    const Handler handler = self.state_.handler;  // which may end this alarm's life
    handler.call(handler.argument);
  }

  static void pass_with_laps(void* argument) {
    auto& self = *static_cast<PeriodicAlarm*>(argument);
    if (!self.pass_lap()) return;
    const Handler handler = self.state_.handler;
    handler.call(handler.argument);
  }

  /// True when an event is due: at the end of the interval's last lap.
  bool pass_lap() {
    const uint32_t ended = state_.piece;
    state_.piece = ended == state_.laps ? 0 : ended + 1;
    const bool ticks_after_next = state_.piece == state_.laps;
    entry_.period = ticks_after_next ? next_ticks() : Duration(kLap);
    if (ended != state_.laps) return false;
    if (state_.times != kForever && --state_.times == 0) K::cancel_alarm(entry_);
    return true;
  }

  Entry entry_;
  CoreId core_ = 0;
  [[no_unique_address]] typename Choice<kPlain>::Type state_;
};

}  // namespace hocket
