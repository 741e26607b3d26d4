// What the hardware does by itself, in the order of time.
//
// Invariants: events run in order of their instant, and in the order of their scheduling within one
// instant; nothing is ever scheduled before the last event that ran. An event cannot be withdrawn:
// the target recognises an outdated one by the `token` it gave.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

inline constexpr Nanos kNever = UINT64_MAX;

class EventTarget {
 public:
  virtual ~EventTarget() = default;
  virtual void due(Nanos now, uint64_t token) = 0;
};

class EventQueue {
 public:
  /// An instant in the past becomes the present. kNever schedules nothing.
  void schedule(Nanos when, EventTarget& target, uint64_t token = 0) {
    if (when == kNever) return;
    if (when < now_) when = now_;
    heap_.push({when, sequence_++, &target, token});
    if (when < next_) next_ = when;
  }

  /// The instant of the earliest event; kNever if there is none.
  Nanos next() const { return next_; }
  /// The instant of the access or event in progress.
  Nanos now() const { return now_; }

  /// Runs every event up to and including `now`. Costs one comparison if none is due.
  void run_until(Nanos now) {
    if (next_ <= now) run_due(now);
    if (now > now_) now_ = now;
  }

 private:
  struct Event {
    Nanos when;
    uint64_t sequence;
    EventTarget* target;
    uint64_t token;
    bool operator>(const Event& other) const {
      return when != other.when ? when > other.when : sequence > other.sequence;
    }
  };

  [[gnu::noinline]] void run_due(Nanos now) {
    while (!heap_.empty() && heap_.top().when <= now) {
      const Event event = heap_.top();
      heap_.pop();
      now_ = event.when;
      event.target->due(event.when, event.token);
    }
    next_ = heap_.empty() ? kNever : heap_.top().when;
  }

  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap_;
  Nanos now_ = 0;
  Nanos next_ = kNever;
  uint64_t sequence_ = 0;
};

}  // namespace hocket::sim
