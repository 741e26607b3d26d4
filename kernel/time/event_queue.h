// Events at absolute instants, so many times or for ever, and which of those that are due is next.
//
// Invariants
// - The k-th event is due k intervals after start(), exactly. Lateness never adds up.
// - Of the events that are due each has one turn, the earliest first, before any has a second one.
//   An event that is behind for good delays no other one by more than one turn.
// - Instants are ticks of a clock in 64 bits, which never wraps in a product's life.
//
//   to_come_   due before now │ due later        a tree, the earliest first
//   served_    had its turn since all that were due had theirs
//
// Each call is O(log events) in the worst case. Nothing is allocated: the events are the nodes. The
// queue locks nothing: its user has one caller at a time.
#pragma once

#include "kernel/base/leftist_heap.h"

namespace hocket {

/// An instant that no clock reaches.
inline constexpr uint64_t kNeverInTicks = UINT64_MAX;

constexpr uint64_t later_in_ticks(uint64_t instant, uint64_t span) {
  return span > kNeverInTicks - instant ? kNeverInTicks : instant + span;
}

template <class Event>
class EventQueue;

/// Base class of what a queue holds.
template <class Event>
class TimedEvent : public LeftistNode<Event> {
 public:
  static constexpr int kForever = -1;

  /// When the next one is due.
  uint64_t due() const { return due_; }

 private:
  friend class EventQueue<Event>;
  friend class LeftistHeap<Event>;

  /// Of two that are due at the same instant the one that was started first.
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

  /// The first event is due at now + interval. An event with an interval of 0 is always due. With
  /// no times nothing happens.
  void start(Event& event, uint64_t now, uint64_t interval, int times) {
    if (times != Event::kForever && times <= 0) return;
    event.interval_ = interval;
    event.due_ = later_in_ticks(now, interval);
    event.times_ = times;
    event.started_ = started_++;
    to_come_.insert(event);
  }
  /// It may be in the queue or not.
  void remove(Event& event) {
    if (!event.in_heap()) return;
    // A heap must know when its first element goes. For all others it does not matter which heap it
    // is.
    (served_.first() == &event ? served_ : to_come_).remove(event);
  }

  /// The event whose turn it is, which goes on to its next instant; null: none is due.
  Event* take(uint64_t now) {
    Event* const event = next(now);
    if (event == nullptr) return nullptr;
    to_come_.remove(*event);
    event->due_ = later_in_ticks(event->due_, event->interval_);
    if (event->times_ == Event::kForever || --event->times_ != 0) served_.insert(*event);
    return event;
  }
  /// When take() is to be asked next, after it has found none due.
  uint64_t next_instant() const {
    return to_come_.first() == nullptr ? kNeverInTicks : to_come_.first()->due_;
  }
  bool empty() const { return to_come_.first() == nullptr && served_.first() == nullptr; }

 private:
  /// When all that are due have had their turn, or none is due, each may have a turn again.
  Event* next(uint64_t now) {
    if (!due(now)) to_come_.join(served_);
    return due(now) ? to_come_.first() : nullptr;
  }
  bool due(uint64_t now) const {
    return to_come_.first() != nullptr && to_come_.first()->due_ <= now;
  }

  LeftistHeap<Event> to_come_;
  LeftistHeap<Event> served_;
  unsigned started_ = 0;  // events, since the board started
};

}  // namespace hocket
