// Alarms at absolute instants, on a one-shot time base: one queue per core.
//
// A periodic alarm's next instant is its last one plus the period, in exact arithmetic, so lateness
// never accumulates. Handlers run in the timer interrupt, masked, in order of their instants; they
// must be short, because they delay every loop of the core (the analysis counts them as
// interrupts).
#pragma once

#include "kernel/base/heap.h"
#include "kernel/base/time.h"

namespace hocket {

template <class Rep>
struct Alarm {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static constexpr uint32_t kForever = 0xffffffff;

  void (*handler)(void* argument) = nullptr;
  void* argument = nullptr;
  Instant due;
  Duration period;     // 0: once
  uint32_t times = 1;  // how often it still fires; kForever
  uint16_t heap_index = kNotInHeap;

  bool active() const { return heap_index != kNotInHeap; }
  friend bool earlier(const Alarm& a, const Alarm& b) { return a.due < b.due; }
};

template <class Rep, unsigned kCapacity>
class AlarmQueue {
 public:
  using Instant = BasicInstant<Rep>;

  /// False, and nothing is changed, when the queue is full, the alarm is active already, or it is
  /// to fire more than once without a period between (it would never let go of the processor).
  bool start(Alarm<Rep>& alarm) {
    const bool ends = alarm.times == 1 || alarm.period > decltype(alarm.period)(0);
    return alarm.times > 0 && ends && !alarm.active() && heap_.insert(alarm);
  }
  void cancel(Alarm<Rep>& alarm) {
    if (alarm.active()) heap_.remove(alarm);
  }

  /// When the first alarm is due; `bound` if that is earlier or there is none.
  Instant next(Instant bound = Instant::never()) const {
    return heap_.empty() ? bound : smaller(heap_.top().due, bound);
  }
  /// The same where there is no «never»: `wanted` says whether `when` means anything. True when it
  /// does now.
  bool sooner(bool wanted, Instant& when) const {
    if (heap_.empty()) return wanted;
    if (!wanted || heap_.top().due < when) when = heap_.top().due;
    return true;
  }
  bool due(Instant now) const { return !heap_.empty() && heap_.top().due <= now; }

  /// Calls the handlers of all alarms due at or before `now`. A handler may start and cancel
  /// alarms, its own included. An alarm that missed several of its instants fires once for each.
  void run_due(Instant now) {
    while (due(now)) {
      Alarm<Rep>& alarm = heap_.top();
      heap_.remove(alarm);
      if (alarm.times != Alarm<Rep>::kForever) --alarm.times;
      if (alarm.times > 0) {
        alarm.due += alarm.period;
        heap_.insert(alarm);
      }
      alarm.handler(alarm.argument);
    }
  }

 private:
  IndexedHeap<Alarm<Rep>, kCapacity> heap_;
};

/// A system without alarms: costs nothing.
template <class Rep>
class AlarmQueue<Rep, 0> {
 public:
  using Instant = BasicInstant<Rep>;
  static Instant next(Instant bound) { return bound; }
  static bool sooner(bool wanted, Instant&) { return wanted; }
  static bool due(Instant) { return false; }
  static void run_due(Instant) {}
};

}  // namespace hocket
