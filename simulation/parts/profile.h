// A quantity that changes with time: points, straight lines between them, or motion at a speed.
//
//   is=300 ──────╲                    from a point with a speed: that speed until the next point
//                 ╲___ speed=0        from a point without: a line to the next point's value, or
//                 rest
//        at=0      at=4s
//
// Exact integer arithmetic; the value stays within [lowest, highest].
#pragma once

#include <algorithm>
#include <vector>

#include "simulation/devices/event_queue.h"
#include "simulation/parts/section.h"

namespace hocket::sim {

class Profile {
 public:
  Profile(const std::vector<Item>& items, int64_t lowest, int64_t highest, int64_t highest_speed);

  int64_t at(Nanos now) const;
  /// From `now` on it has this value for good.
  void hold(Nanos now, int64_t value);
  /// From this instant on the value never changes; kNever if it may always change.
  Nanos settled() const { return segments_.back().rate == 0 ? segments_.back().begin : kNever; }

 private:
  struct Segment {
    Nanos begin;
    int64_t value;
    __int128 rate;  // units per `span`
    Nanos span;
  };
  int64_t value(const Segment& segment, Nanos now) const;

  int64_t lowest_, highest_;
  std::vector<Segment> segments_;
};

}  // namespace hocket::sim
