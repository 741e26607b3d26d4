// A stop watch. Counts ticks in 64 bits and converts once, when it is read: nothing is rounded
// twice.
//
// May run for longer than a circular clock's turn (wide_time.h). One thread at a time uses it.
#pragma once

#include "kernel/time/microseconds.h"
#include "kernel/time/wide_time.h"

namespace hocket {

template <class K>
class Chronometer {
  using Port = typename K::Processor;

 public:
  /// Runs on from what it shows; one that runs already is left alone. Any context; O(1), as all.
  void start() {
    if (running_) return;
    running_ = true;
    since_ = wide_now<Port>();
  }
  /// Holds what it shows.
  void stop() {
    ticks_ = ticks();
    running_ = false;
  }
  /// Shows 0; it goes on running if it runs.
  void reset() {
    ticks_ = 0;
    since_ = wide_now<Port>();
  }
  bool running() const { return running_; }

  /// What it shows: the time that it has run since the last reset(), all starts and stops added up,
  /// and while it runs the time so far.
  uint64_t ticks() const { return running_ ? ticks_ + (wide_now<Port>() - since_) : ticks_; }
  /// The same, rounded down to a microsecond.
  Microseconds read() const { return TickScale<Port::kTickHz>::microseconds(ticks()); }

 private:
  uint64_t ticks_ = 0;  // up to the last stop()
  uint64_t since_ = 0;
  bool running_ = false;
};

}  // namespace hocket
