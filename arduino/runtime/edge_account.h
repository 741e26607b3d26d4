// What became of the edges of one pin: each that arrived was delivered, or waits, or is lost and
// counted with the reason.
//
// Invariant, checked in checked builds: arrived = delivered + waiting + lost. Pure: it knows
// neither pins nor threads. Whoever uses it has a lock.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

enum class LostEdge : uint8_t {
  NoRoom,    // more waited than can be counted
  Detached,  // the handler was detached or replaced before its turn came
  Stopped,   // the handler's loop was stopped by a fault
  TooSoon,   // of a direct handler: closer to the one before than was declared
};
inline constexpr unsigned kLostEdges = 4;

class EdgeAccount {
 public:
  /// As many may wait: more is no queue any more, but a handler that is behind for good.
  static constexpr uint32_t kMostWaiting = 0xffff;

  /// So many have come from the hardware's latch. How many are kept.
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

  /// One is delivered: its handler is about to be called.
  void deliver() {
    HOCKET_CHECK(waiting_ > 0);
    --waiting_;
    ++delivered_;
    check();
  }

  /// One has come, no other one waits, and it is delivered at once.
  void deliver_at_once() {
    HOCKET_CHECK(waiting_ == 0);
    ++at_once_;
  }

  /// All that wait are lost.
  void lose(LostEdge why) {
    lost_[index(why)] += waiting_;
    waiting_ = 0;
    check();
  }

  /// The hardware has one bit: so many of those that arrived may stand for several.
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
  /// Those that arrived and are neither delivered nor lost. Unlike waiting(), this is right in the
  /// middle of a call of the above, too, where a run may end.
  uint64_t pending() const { return arrived() - delivered() - lost(); }

 private:
  static constexpr unsigned index(LostEdge why) { return static_cast<unsigned>(why); }
  void check() const { HOCKET_CHECK(arrived_ == delivered_ + waiting_ + lost()); }

  uint64_t arrived_ = 0;
  uint64_t delivered_ = 0;
  uint64_t at_once_ = 0;  // of neither of these
  uint64_t merged_ = 0;
  uint64_t lost_[kLostEdges] = {};
  uint32_t waiting_ = 0;
};

}  // namespace hocket::runtime
