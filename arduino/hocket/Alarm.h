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
// What is done with the lock is O(log alarms), each time: other loops that make or cancel alarms,
// and whoever the lock keeps from running, wait for some microseconds, however many there are.
//
// ("Temporal Event Management in EPOS", sections 2 and 3; docs/decisions/handlers-are-loops.md.)
#pragma once

#include "hocket/Handler.h"
#include "hocket/LeftistHeap.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_ALARM_LOOP
#define HOCKET_ALARM_LOOP \
  255, ::hocket::defaults::kAlarms.budget, ::hocket::defaults::kAlarms.period
#endif

class Alarm;

namespace hocket::services {

HOCKET_SERVICE_LOOP_(AlarmLoop, "hocket/Alarm.h", HOCKET_ALARM_LOOP)

/// All alarms that have events to come.
struct Alarms {
  Spinlock lock;
  // Those whose turn is to come, and those that have had it since all that were due had theirs.
  LeftistHeap<Alarm> to_come;
  LeftistHeap<Alarm> served;
  unsigned made = 0;         // since the board started
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
  Alarm* choose(uint64_t now);
  void end_of_handler();
};
inline Alarms alarms;

}  // namespace hocket::services

class Alarm : public hocket::services::LeftistNode<Alarm> {
 public:
  using Microsecond = ::Microsecond;
  enum : int { INFINITE = -1 };

  /// Calls `*handler` every `interval`, `times` times, the first time one interval from now. With
  /// an interval of 0 it is always due. Any loop and setup(). Never blocks. O(log alarms).
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
  /// from that handler itself. O(log alarms).
  void cancel();

  /// Whether there are events to come.
  bool active() const {
    const SpinlockGuard guard(hocket::services::alarms.lock);
    return in_heap();
  }

  /// Blocks the calling loop for this long.
  static void delay(Microsecond span) {
    hocket::sys::sleep_until_ns(hocket::services::later(hocket::sys::now_ns(), span));
  }

 private:
  friend struct hocket::services::Alarms;
  friend class hocket::services::LeftistHeap<Alarm>;

  /// Of two that are due at the same instant the one that was made first.
  static bool before(const Alarm& a, const Alarm& b) {
    return a.due_ != b.due_ ? a.due_ < b.due_ : static_cast<int>(a.made_ - b.made_) < 0;
  }

  void start(unsigned loop);
  void unlink();
  void advance();

  Handler* handler_;
  Microsecond interval_;
  uint64_t due_;  // of the next event
  int times_;     // still to come; INFINITE
  unsigned made_ = 0;
  uint8_t loop_ = 0;
};

inline void Alarm::start(unsigned loop) {
  if (handler_ == nullptr) hocket::sys::fault("made an Alarm without a handler");
  if (times_ != INFINITE && times_ <= 0) return;
  loop_ = static_cast<uint8_t>(loop);
  hocket::services::Alarms& all = hocket::services::alarms;
  spinlockLock(all.lock);
  made_ = all.made++;
  all.to_come.insert(*this);
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
  if (!in_heap()) return;
  hocket::services::Alarms& all = hocket::services::alarms;
  // A heap must know when its first one goes; for all others it does not matter which it is.
  (all.served.first() == this ? all.served : all.to_come).remove(*this);
}

/// From the event that is due to the next one.
inline void Alarm::advance() {
  unlink();
  due_ = hocket::services::later(due_, interval_);
  if (times_ == INFINITE || --times_ != 0) hocket::services::alarms.served.insert(*this);
}

namespace hocket::services {

/// Null: none is due. When all that are due have had their turn, or none is due, everybody has a
/// turn again.
inline Alarm* Alarms::choose(uint64_t now) {
  const auto due = [&] { return to_come.first() != nullptr && to_come.first()->due_ <= now; };
  if (!due()) to_come.join(served);
  return due() ? to_come.first() : nullptr;
}

inline void Alarms::serve() {
  const uint64_t now = sys::now_ns();
  spinlockLock(lock);
  Alarm* const alarm = choose(now);
  if (alarm == nullptr) {
    const uint64_t next = to_come.first() == nullptr ? kNever : to_come.first()->due_;
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
