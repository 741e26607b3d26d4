// Alarm: calls a handler after an interval, n times or for ever.
//
//   Handler_Function handler(&blink);
//   Alarm alarm(20000, &handler, Alarm::INFINITE);        every 20 ms
//   Alarm::delay(1500);                                   this loop waits for 1.5 ms
//
// The k-th event is exactly k intervals after the alarm was made; a late handler does not delay
// later events. Handlers run one after another, on one budget for all of them, so a burst of events
// takes no time from other loops. Of the alarms that are due, each is called once, the earliest
// first, before any is called again. So a burst does not starve other alarms either.
//
// The handlers are called in one of two places:
//   - in a loop of their own, which a sketch with alarms has besides its declared loops: 1 ms in
//     every 10 ms, number 255, or as HOCKET_ALARM_LOOP says (hocket/ServiceLoop.h);
//   - in the timer interrupt, if HOCKET_ALARM_INTERRUPT gives a budget and the board supports it
//     (board_alarms.h). There a handler must not wait. Other boards call it in the loop.
//
// Each operation under the lock is O(log alarms). Other loops that make or cancel alarms wait for a
// few microseconds, however many alarms there are.
//
// ("Temporal Event Management in EPOS", sections 2 and 3; docs/decisions/handlers-are-loops.md.)
#pragma once

#include "arduino/runtime/sketch_clock.h"
#include "hocket/Handler.h"
#include "hocket/ServiceLoop.h"
#include "hocket/Spinlock.h"
#include "kernel/time/event_queue.h"

#ifdef HOCKET_ALARM_INTERRUPT
#ifdef HOCKET_ALARM_LOOP
#error "use HOCKET_ALARM_LOOP or HOCKET_ALARM_INTERRUPT, not both"
#endif
#if __has_include("board_alarms.h")
#include "board_alarms.h"
#define HOCKET_ALARM_CALLER_ hocket::services::AlarmInterrupt
#else
#define HOCKET_ALARM_LOOP 255, HOCKET_ALARM_INTERRUPT
#endif
#endif
#ifndef HOCKET_ALARM_LOOP
#define HOCKET_ALARM_LOOP \
  255, ::hocket::defaults::kAlarms.budget, ::hocket::defaults::kAlarms.period
#endif
#ifndef HOCKET_ALARM_CALLER_
#define HOCKET_ALARM_CALLER_ hocket::services::AlarmLoop
#endif

class Alarm;

namespace hocket::services {

HOCKET_SERVICE_LOOP_(AlarmLoopEntry, "hocket/Alarm.h", HOCKET_ALARM_LOOP)

/// The caller of the handlers, here the alarms' loop. use() brings it into the program. changed()
/// says that another alarm may be the next one. calls() says whether the running code is in a
/// handler.
template <unsigned k>
struct AlarmLoop {
  static void use() { AlarmLoopEntry<k>::use(); }
  static void changed() { sys::unpark(AlarmLoopEntry<k>::id()); }
  static bool calls() { return sys::loop_id() == AlarmLoopEntry<k>::id(); }
};

/// All alarms with events to come.
struct Alarms {
  Spinlock lock;
  EventQueue<Alarm> queue;
  Alarm* running = nullptr;  // the alarm whose handler is running; null: none
  struct Waiting {
    Waiting* next;
    Semaphore done{0};
  };
  Waiting* waiting = nullptr;  // loops that wait for the end of that call

  /// Calls the handler of the earliest alarm if it is due. Returns false if none is due; `next` is
  /// then the instant of the next event.
  bool call_due(uint64_t& next);
  /// The instant of the next event.
  uint64_t next_instant();
  /// Calls the handler of the earliest alarm if it is due, and returns the instant of the next
  /// event. This function and next_instant() take no lock. Only in an interrupt of the only core,
  /// where no loop runs and a loop that holds the lock is not interrupted.
  uint64_t call_in_interrupt(uint64_t now);
  /// One iteration of the alarms' loop: a call, or a wait for the next event.
  void serve();

 private:
  void end_of_handler();
};
inline Alarms alarms;

}  // namespace hocket::services

class Alarm : public hocket::TimedEvent<Alarm> {
 public:
  using Microsecond = ::Microsecond;
  enum : int { INFINITE = kForever };

  /// Calls `*handler` every `interval`, `times` times, the first time one interval from now. An
  /// alarm with an interval of 0 is always due. Context: any loop, setup(). Never blocks. O(log
  /// alarms).
  template <class Caller = HOCKET_ALARM_CALLER_<0>>
  Alarm(Microsecond interval, Handler* handler, int times = 1) : handler_(handler) {
    const uint64_t now = hocket::services::SketchClock::now();
    Caller::use();
    if (handler_ == nullptr) hocket::sys::fault("made an Alarm without a handler");
    {
      const SpinlockGuard guard(hocket::services::alarms.lock);
      hocket::services::alarms.queue.start(*this, now, hocket::services::ticks_of(interval), times);
    }
    Caller::changed();
  }
  /// Like cancel().
  ~Alarm() { cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Cancels all further events. Waits for the end of a call that is in progress, except when
  /// called from that handler itself. O(log alarms).
  void cancel();

  /// Whether there are events to come.
  bool active() const {
    const SpinlockGuard guard(hocket::services::alarms.lock);
    return in_heap();
  }

  /// Blocks the calling loop for this time.
  static void delay(Microsecond span) {
    using hocket::services::SketchClock;
    SketchClock::sleep_until(
        hocket::later_in_ticks(SketchClock::now(), hocket::services::ticks_of(span)));
  }

 private:
  friend struct hocket::services::Alarms;

  Handler* handler_;
};

inline void Alarm::cancel() {
  hocket::services::Alarms& all = hocket::services::alarms;
  const bool by_handler = HOCKET_ALARM_CALLER_<0>::calls();
  spinlockLock(all.lock);
  all.queue.remove(*this);
  if (all.running != this || by_handler) {
    if (all.running == this)
      all.running = nullptr;  // the alarm may not exist any more when the
                              // handler returns
    return spinlockUnlock(all.lock);
  }
  hocket::services::Alarms::Waiting self{all.waiting};
  all.waiting = &self;
  spinlockUnlock(all.lock);
  self.done.p();
}

namespace hocket::services {

inline bool Alarms::call_due(uint64_t& next) {
  const uint64_t now = SketchClock::now();
  spinlockLock(lock);
  Alarm* const alarm = queue.take(now);
  if (alarm == nullptr) {
    next = queue.next_instant();
    spinlockUnlock(lock);
    return false;
  }
  Handler& handler = *alarm->handler_;
  running = alarm;
  spinlockUnlock(lock);
  handler();
  end_of_handler();
  return true;
}

inline uint64_t Alarms::next_instant() {
  const SpinlockGuard guard(lock);
  return queue.next_instant();
}

inline uint64_t Alarms::call_in_interrupt(uint64_t now) {
  running = queue.take(now);
  if (running != nullptr) {
    (*running->handler_)();
    running = nullptr;
  }
  return queue.next_instant();
}

inline void Alarms::serve() {
  uint64_t next;
  if (!call_due(next)) SketchClock::park_until(next);
}

/// The alarm may not exist any more, and each waiting record may disappear after its v().
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
void AlarmLoopEntry<k>::body() {
  alarms.serve();
}

}  // namespace hocket::services

#ifdef HOCKET_ALARM_CALLS_
HOCKET_ALARM_CALLS_(hocket::services::alarms)
#endif
