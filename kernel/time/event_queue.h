// Events at absolute instants, which repeat a number of times or for ever. The queue says which due
// event is next.
//
// Invariants
// - The k-th event is due k intervals after start(), exactly. Lateness never adds up.
// - The earliest event is first. But an event that is due again right after its turn waits for
//   all other due events to have theirs. An event that is permanently late therefore delays each
//   other event by at most one turn.
// - Instants are ticks of a clock in 64 bits, which never wraps in a product's life.
//
//   to_come_   due │ due later                    trees, the earliest first
//   served_    due again
//
// Each call is O(log events) in the worst case. Nothing is allocated: the events are the nodes. The
// queue has no lock; its user must make sure that calls do not overlap.
#pragma once

#include "kernel/base/leftist_heap.h"

namespace hocket {

/// An instant that no clock reaches.
inline constexpr uint64_t kNeverInTicks = ~uint64_t{0};

constexpr uint64_t later_in_ticks(uint64_t instant, uint64_t span) {
  return span > kNeverInTicks - instant ? kNeverInTicks : instant + span;
}

template <class Event>
class EventQueue;

/// Base class of the events in a queue.
template <class Event>
class TimedEvent : public LeftistNode<Event> {
 public:
  static constexpr int kForever = -1;

  /// When the event is due next.
  uint64_t due() const { return due_; }

 private:
  friend class EventQueue<Event>;
  friend class LeftistHeap<Event>;

  /// Of two events that are due at the same instant, the one that was started first comes first.
  static bool before(const Event& a, const Event& b) {
    return a.due_ != b.due_ ? a.due_ < b.due_ : static_cast<int>(a.started_ - b.started_) < 0;
  }

  uint64_t due_ = 0;
  uint64_t interval_ = 0;
  int times_ = 0;  // still to come
  unsigned started_ = 0;
};

template <class Event>
class EventQueue {
 public:
  constexpr EventQueue() = default;

  /// The first event is due at now + interval, in ticks. An event with an interval of 0 is always
  /// due. If `times` is 0 or negative (and not kForever), nothing happens.
  void start(Event& event, uint64_t now, uint64_t interval, int times) {
    if (times != Event::kForever && times <= 0) return;
    event.interval_ = interval;
    event.due_ = later_in_ticks(now, interval);
    event.times_ = times;
    event.started_ = started_++;
    to_come_.insert(event);
  }
  /// Removes an event, which need not be in the queue.
  void remove(Event& event) {
    if (!event.in_heap()) return;
    // Only the heap in which it is the first element must be known. For all other elements, removal
    // from either heap is the same.
    (served_.first() == &event ? served_ : to_come_).remove(event);
  }

  /// Returns the next due event, and moves it to its next instant. Null: none is due.
  [[gnu::always_inline]] Event* take(uint64_t now) {
    Event* event = to_come_.first();
    if (event == nullptr || event->due_ > now) {
      if (served_.first() == nullptr) return nullptr;
      to_come_.join(served_);
      event = to_come_.first();
      if (event->due_ > now) return nullptr;
    }
    if (event->times_ != Event::kForever && --event->times_ == 0) {
      to_come_.remove(*event);
      return event;
    }
    event->due_ += event->interval_;  // due_ is in the past here, so this does not overflow
    if (event->due_ > now) {
      to_come_.first_is_later();
    } else {
      to_come_.remove(*event);
      served_.insert(*event);
    }
    return event;
  }
  /// When the first event is due.
  uint64_t next_instant() const {
    const uint64_t a = instant_of(to_come_.first()), b = instant_of(served_.first());
    return a < b ? a : b;
  }
  bool empty() const { return to_come_.first() == nullptr && served_.first() == nullptr; }

 private:
  static uint64_t instant_of(const Event* event) {
    return event == nullptr ? kNeverInTicks : event->due_;
  }
  LeftistHeap<Event> to_come_;
  LeftistHeap<Event> served_;
  unsigned started_ = 0;  // counts start() calls since the board started
};

}  // namespace hocket
