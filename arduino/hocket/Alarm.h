// Alarm: calls a handler after an interval, n times or for ever.
//
//   Handler_Function handler(&blink);
//   Alarm alarm(20000, &handler, Alarm::INFINITE);        every 20 ms
//   Alarm::delay(1500);                                   this loop waits for 1.5 ms
//
// The k-th event is k intervals after the alarm was made, exactly; a handler that comes late moves
// no later one. Handlers run one after another in a loop of their own, which a sketch that makes
// alarms has besides the ones it declares: 1 ms in every 10 ms, under the number 255, or as
// HOCKET_ALARM_LOOP says (hocket/ServiceLoop.h). Its budget bounds all handlers together, so a
// storm of events costs other loops nothing. Of alarms that are due, each is called once, the
// earliest first, before any is called again: a storm does not starve the other alarms either.
//
// ("Temporal Event Management in EPOS", sections 2 and 3; docs/decisions/handlers-are-loops.md.)
#pragma once

#include "hocket/Handler.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_ALARM_LOOP
#define HOCKET_ALARM_LOOP 255, 1ms, 10ms
#endif

class Alarm;

namespace hocket::services {

HOCKET_SERVICE_LOOP_(AlarmLoop, "hocket/Alarm.h", HOCKET_ALARM_LOOP)

/// All alarms that have events to come, in the order in which they were made.
struct Alarms {
  Spinlock lock;
  Alarm* first = nullptr;
  Alarm* running = nullptr;  // whose handler is being called
  struct Waiting {
    Waiting* next;
    Semaphore done{0};
  };
  Waiting* waiting = nullptr;  // for the end of that call

  /// Calls the handler that comes first, if one is due; else waits for the next event.
  void serve();

 private:
  friend class ::Alarm;
  Alarm* choose(uint64_t now, uint64_t& next);
  Alarm* earliest_due(uint64_t now, uint64_t& next, bool& any_due);
  void end_of_handler();
};
inline Alarms alarms;

}  // namespace hocket::services

class Alarm {
 public:
  using Microsecond = ::Microsecond;
  enum : int { INFINITE = -1 };

  /// Calls `*handler` every `interval`, `times` times, the first time one interval from now. With
  /// an interval of 0 it is always due. Any loop and setup(). Never blocks. O(alarms).
  template <class Loop = hocket::services::AlarmLoop<0>>
  Alarm(Microsecond interval, Handler* handler, int times = 1)
      : handler_(handler),
        interval_(interval),
        due_(hocket::services::later(hocket::sys::now_ns(), interval)),
        times_(times) {
    Loop::use();
    start(Loop::id());
  }
  /// As cancel().
  ~Alarm() { cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// No event comes after this. Waits for the end of a call that is under way, unless it is called
  /// from that handler itself. O(alarms).
  void cancel();

  /// Whether there are events to come.
  bool active() const {
    const SpinlockGuard guard(hocket::services::alarms.lock);
    return active_;
  }

  /// Blocks the calling loop for this long.
  static void delay(Microsecond span) {
    hocket::sys::sleep_until_ns(hocket::services::later(hocket::sys::now_ns(), span));
  }

 private:
  friend struct hocket::services::Alarms;

  void start(unsigned loop);
  void unlink();
  void advance();

  Handler* handler_;
  Microsecond interval_;
  uint64_t due_;  // of the next event
  Alarm* next_ = nullptr;
  int times_;  // still to come; INFINITE
  unsigned loop_ = 0;
  bool active_ = false;
  bool served_ = false;  // has had its turn among those that are due
};

inline void Alarm::start(unsigned loop) {
  if (handler_ == nullptr) hocket::sys::fault("made an Alarm without a handler");
  if (times_ != INFINITE && times_ <= 0) return;
  loop_ = loop;
  hocket::services::Alarms& all = hocket::services::alarms;
  spinlockLock(all.lock);
  Alarm** at = &all.first;
  while (*at != nullptr) at = &(*at)->next_;
  *at = this;
  active_ = true;
  spinlockUnlock(all.lock);
  hocket::sys::unpark(loop);  // it may be due before what the loop waits for
}

inline void Alarm::cancel() {
  hocket::services::Alarms& all = hocket::services::alarms;
  const bool by_its_handler = hocket::sys::loop_id() == loop_;
  spinlockLock(all.lock);
  unlink();
  if (all.running != this || by_its_handler) {
    if (all.running == this) all.running = nullptr;  // it may be gone when the handler returns
    return spinlockUnlock(all.lock);
  }
  hocket::services::Alarms::Waiting self{all.waiting};
  all.waiting = &self;
  spinlockUnlock(all.lock);
  self.done.p();
}

/// With the lock, as all that follows.
inline void Alarm::unlink() {
  if (!active_) return;
  Alarm** at = &hocket::services::alarms.first;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
  next_ = nullptr;
  active_ = false;
}

/// From the event that is due to the next one.
inline void Alarm::advance() {
  served_ = true;
  due_ = hocket::services::later(due_, interval_);
  if (times_ != INFINITE && --times_ == 0) unlink();
}

namespace hocket::services {

/// The earliest of those that are due and have not had their turn. `next`: when another one will
/// be.
inline Alarm* Alarms::earliest_due(uint64_t now, uint64_t& next, bool& any_due) {
  Alarm* best = nullptr;
  for (Alarm* alarm = first; alarm != nullptr; alarm = alarm->next_) {
    if (alarm->due_ > now) {
      if (alarm->due_ < next) next = alarm->due_;
      continue;
    }
    any_due = true;
    if (!alarm->served_ && (best == nullptr || alarm->due_ < best->due_)) best = alarm;
  }
  return best;
}

/// When all that are due have had their turn, or none is due, everybody has a turn again.
inline Alarm* Alarms::choose(uint64_t now, uint64_t& next) {
  bool any_due = false;
  Alarm* const best = earliest_due(now, next, any_due);
  if (best != nullptr) return best;
  for (Alarm* alarm = first; alarm != nullptr; alarm = alarm->next_) alarm->served_ = false;
  return any_due ? earliest_due(now, next, any_due) : nullptr;
}

inline void Alarms::serve() {
  uint64_t next = kNever;
  const uint64_t now = sys::now_ns();
  spinlockLock(lock);
  Alarm* const alarm = choose(now, next);
  if (alarm == nullptr) {
    spinlockUnlock(lock);
    sys::park_until_ns(next);
    return;
  }
  Handler& handler = *alarm->handler_;
  alarm->advance();
  running = alarm;
  spinlockUnlock(lock);
  handler();
  end_of_handler();
}

/// The alarm itself may be gone, and each that waited may be after its v().
inline void Alarms::end_of_handler() {
  spinlockLock(lock);
  running = nullptr;
  Waiting* at = waiting;
  waiting = nullptr;
  spinlockUnlock(lock);
  while (at != nullptr) {
    Waiting& one = *at;
    at = one.next;
    one.done.v();
  }
}

template <unsigned k>
void AlarmLoop<k>::body() {
  alarms.serve();
}

}  // namespace hocket::services
