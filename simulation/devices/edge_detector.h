// The edge detector of one pin, as in a microcontroller's pin block: the edge mode, the count of
// edges that were not taken, and the bit that enables its interrupt.
//
//   level ──▶ [ mode? ] ──▶ [ count, when the first one came ] ──▶ [ unmasked? ] ──▶ line
//
// No edges are merged: each is counted, up to 65,535 that wait, and can be taken alone. Further
// ones overflow. In a level mode, the level itself counts once at each read. While masked, the
// detector continues to count.
#pragma once

#include <algorithm>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class EdgeDetector {
 public:
  /// Sets the mode, unmasked. Returns the edges that had not been taken.
  Edges watch(Nanos now, sys::EdgeMode mode, bool level) {
    const Edges rest = release();
    taken_ -= rest.count;  // for its new owner the count starts at 0
    mode_ = mode;
    watches_ = true;
    masked_ = false;
    if (is_level() && matches(level)) see(now);
    return rest;
  }
  Edges release() {
    watches_ = false;
    return take(0, seen_.count);
  }
  /// Takes `most` edges at most. The hardware has one register for an instant, so edges that wait
  /// behind those have this one from now on.
  Edges take(Nanos now, uint64_t most) {
    const Edges taken{.count = std::min(most, seen_.count), .first = seen_.first};
    seen_ = {.count = seen_.count - taken.count, .first = now};
    taken_ += taken.count;
    return taken;
  }
  void mask() { masked_ = true; }
  void unmask(Nanos now, bool level) {
    masked_ = false;
    if (watches_ && is_level() && matches(level) && seen_.count == 0) see(now);
  }

  /// The level has changed to `high`.
  void changed(Nanos now, bool high) {
    if (!watches_ || !matches(high)) return;
    if (is_level() && seen_.count > 0) return;
    see(now);
  }

  bool asks() const { return watches_ && !masked_ && seen_.count > 0; }
  /// All edges ever seen: taken, waiting, or overflowed.
  uint64_t counted() const { return taken_ + seen_.count + overflowed_; }
  Edges waiting() const { return seen_; }
  uint64_t overflowed() const { return overflowed_; }

 private:
  static constexpr uint64_t kMostWaiting = 0xffff;

  using Mode = sys::EdgeMode;
  bool is_level() const { return mode_ == Mode::Low || mode_ == Mode::High; }
  bool matches(bool high) const {
    if (mode_ == Mode::Change) return true;
    return high == (mode_ == Mode::High || mode_ == Mode::Rising);
  }
  void see(Nanos now) {
    if (seen_.count == kMostWaiting) {
      ++overflowed_;
    } else if (seen_.count++ == 0) {
      seen_.first = now;
    }
  }

  Mode mode_ = Mode::Rising;
  bool watches_ = false;
  bool masked_ = false;
  Edges seen_;
  uint64_t taken_ = 0, overflowed_ = 0;
};

}  // namespace hocket::sim
