// Alarms at absolute instants: one queue per core.
//
// A periodic alarm's next instant is its previous one plus the period, exactly, so lateness never
// accumulates. Handlers run in the timer interrupt, masked, in order of their instants. They must
// be short, because they delay every loop of the core; the analysis counts them as interrupts. All
// times are in ticks of the port's clock. Legal context: masked, with the core's lock held, which
// run_due() releases while it calls a handler.
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
  uint32_t times = 1;  // how often it will still fire, or kForever
  uint16_t heap_index = kNotInHeap;

  bool active() const { return heap_index != kNotInHeap; }
  friend bool earlier(const Alarm& a, const Alarm& b) { return a.due < b.due; }
};

template <class Rep, unsigned kCapacity>
class AlarmQueue {
 public:
  using Instant = BasicInstant<Rep>;

  /// Returns false, and changes nothing, if the queue is full, if the alarm is active already, or
  /// if it would fire more than once without a period (it would then occupy the processor for
  /// ever).
  bool start(Alarm<Rep>& alarm) {
    const bool ends = alarm.times == 1 || alarm.period > decltype(alarm.period)(0);
    return alarm.times > 0 && ends && !alarm.active() && heap_.insert(alarm);
  }
  void cancel(Alarm<Rep>& alarm) {
    if (alarm.active()) heap_.remove(alarm);
  }

  /// Sets `when` to the instant at which the first alarm is due, if that is earlier. `wanted` says
  /// whether `when` is valid. Returns whether it is valid afterwards.
  bool sooner(bool wanted, Instant& when) const {
    if (heap_.empty()) return wanted;
    if (!wanted || heap_.top().due < when) when = heap_.top().due;
    return true;
  }
  bool due(Instant now) const { return !heap_.empty() && heap_.top().due <= now; }

  /// If an alarm is due: calls the handlers of all alarms due at or before `now`. A handler may
  /// start and cancel alarms, its own included. An alarm that missed several of its instants fires
  /// once for each. `unlocked(call)` releases the core's lock, makes the call, and takes the lock
  /// again.
  template <class Unlocked>
  HOCKET_IN_LINE void run_due(Instant now, Unlocked unlocked) {
    do {
      Alarm<Rep>& alarm = heap_.top();
      if (alarm.times != Alarm<Rep>::kForever) --alarm.times;
      if (alarm.times > 0) {
        alarm.due += alarm.period;
        heap_.top_is_later();
      } else {
        heap_.remove(alarm);
      }
      running_ = &alarm;
      unlocked([handler = alarm.handler, argument = alarm.argument] { handler(argument); });
    } while (due(now));
    running_ = nullptr;
  }

  /// Whether a handler is being called, and whether it is this alarm's.
  bool runs() const { return running_ != nullptr; }
  bool runs(const Alarm<Rep>& alarm) const { return running_ == &alarm; }

 private:
  IndexedHeap<Alarm<Rep>, kCapacity> heap_;
  const Alarm<Rep>* running_ = nullptr;
};

/// For a system with one alarm at a time, which fires once.
template <class Rep>
class AlarmQueue<Rep, 1> {
 public:
  using Instant = BasicInstant<Rep>;

  /// Returns false, and changes nothing, if an alarm is active or this one would fire more than
  /// once.
  bool start(Alarm<Rep>& alarm) {
    if (alarm_ != nullptr || alarm.times != 1) return false;
    alarm_ = &alarm;
    return true;
  }
  void cancel(Alarm<Rep>& alarm) {
    if (alarm_ == &alarm) alarm_ = nullptr;
  }
  bool sooner(bool wanted, Instant& when) const {
    if (alarm_ == nullptr) return wanted;
    if (!wanted || alarm_->due < when) when = alarm_->due;
    return true;
  }
  bool due(Instant now) const { return alarm_ != nullptr && alarm_->due <= now; }
  template <class Unlocked>
  HOCKET_IN_LINE void run_due(Instant, Unlocked unlocked) {
    running_ = alarm_;
    alarm_ = nullptr;
    unlocked([this] { running_->handler(running_->argument); });
    running_ = nullptr;
  }
  bool runs() const { return running_ != nullptr; }
  bool runs(const Alarm<Rep>& alarm) const { return running_ == &alarm; }

 private:
  Alarm<Rep>* alarm_ = nullptr;
  Alarm<Rep>* running_ = nullptr;
};

/// For a system without alarms. Costs nothing.
template <class Rep>
class AlarmQueue<Rep, 0> {
 public:
  using Instant = BasicInstant<Rep>;
  static bool sooner(bool wanted, Instant&) { return wanted; }
  static bool due(Instant) { return false; }
  template <class Unlocked>
  static void run_due(Instant, Unlocked) {}
};

}  // namespace hocket
