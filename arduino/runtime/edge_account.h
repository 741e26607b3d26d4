// Accounts for each edge of one pin: an edge that arrived is delivered, or waits, or is lost and
// counted with the reason.
//
// Invariant, checked in checked builds: arrived = delivered + waiting + lost. Pure: this header
// knows neither pins nor threads. The caller must hold a lock.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

enum class LostEdge : uint8_t {
  NoRoom,    // more edges waited than can be counted
  Detached,  // the handler was detached or replaced before its turn came
  Stopped,   // the handler's loop was stopped by a fault
  TooSoon,   // a direct handler's edge came closer to the one before than was declared
};
inline constexpr unsigned kLostEdges = 4;

class EdgeAccount {
 public:
  /// The most edges that may wait. A handler that is further behind will not catch up.
  static constexpr uint32_t kMostWaiting = 0xffff;

  /// Adds `count` edges from the hardware's latch. Returns how many are kept.
  uint32_t arrive(uint64_t count) {
    arrived_ += count;
    const uint32_t room = kMostWaiting - waiting_;
    const auto kept = static_cast<uint32_t>(count < room ? count : room);
    waiting_ += kept;
    if (kept < count) [[unlikely]]
      lost_[index(LostEdge::NoRoom)] += count - kept;
    check();
    return kept;
  }

  /// One waiting edge is delivered: its handler is about to be called.
  void deliver() {
    HOCKET_CHECK(waiting_ > 0);
    --waiting_;
    ++delivered_;
    check();
  }

  /// An edge arrives while no other waits, and is delivered immediately.
  void deliver_at_once() {
    HOCKET_CHECK(waiting_ == 0);
    ++at_once_;
  }

  /// All waiting edges are lost.
  void lose(LostEdge why) {
    lost_[index(why)] += waiting_;
    waiting_ = 0;
    check();
  }

  /// The hardware has one bit per pin: `count` of the edges that arrived may stand for several
  /// each.
  void may_stand_for_several(uint64_t count) { merged_ += count; }

  uint64_t arrived() const { return arrived_ + at_once_; }
  uint64_t delivered() const { return delivered_ + at_once_; }
  uint64_t at_once() const { return at_once_; }
  uint32_t waiting() const { return waiting_; }
  uint64_t lost(LostEdge why) const { return lost_[index(why)]; }
  uint64_t lost() const {
    uint64_t sum = 0;
    for (const uint64_t each : lost_) sum += each;
    return sum;
  }
  uint64_t merged() const { return merged_; }
  /// Edges that arrived and are neither delivered nor lost. Unlike waiting(), this is also right in
  /// the middle of one of the calls above, where a run may end.
  uint64_t pending() const { return arrived() - delivered() - lost(); }

 private:
  static constexpr unsigned index(LostEdge why) { return static_cast<unsigned>(why); }
  void check() const { HOCKET_CHECK(arrived_ == delivered_ + waiting_ + lost()); }

  uint64_t arrived_ = 0;
  uint64_t delivered_ = 0;
  uint64_t at_once_ = 0;  // in neither of the two above
  uint64_t merged_ = 0;
  uint64_t lost_[kLostEdges] = {};
  uint32_t waiting_ = 0;
};

}  // namespace hocket::runtime
