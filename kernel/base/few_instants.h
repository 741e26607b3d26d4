// One instant per slot for a few slots, with the questions of tournament.h: who is the first slot
// that is due, and what is the earliest instant of those below a slot.
//
//   slot       0 1 2 3 4 5 6 7
//   waiting    . . . 1 . . 1 .     until the slot's instant; others have none
//
// For small processors and circular clocks, which have no «never». Comparing two instants there
// takes many instructions: the earliest one (or one before it) is remembered, and whether anything
// has happened is one comparison.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Instant, unsigned kSlots>
class FewInstants {
  static_assert(kSlots <= 16);
  using Mask = ChosenType<(kSlots <= 8), uint8_t, uint16_t>;

 public:
  using Slot = uint8_t;
  static constexpr Slot kNone = 0xff;

  void reset(unsigned) { waiting_ = 0; }

  HOCKET_APART void wait(Slot slot, Instant until) {
    if (waiting_ == 0 || until < earliest_) earliest_ = until;
    instant_[slot] = until;
    waiting_ |= flag(slot);
  }
  HOCKET_APART void clear(Slot slot) { waiting_ &= static_cast<Mask>(~flag(slot)); }

  /// Whether somebody may be due.
  bool due(Instant now) const { return waiting_ != 0 && earliest_ <= now; }
  /// Lowest slot whose instant is at or before `now`; kNone when there is none.
  [[gnu::noinline]] Slot first_due(Instant now) {
    Slot found = kNone;
    Slot slot = 0;
    const Instant* instant = instant_;
    Instant earliest = now + Instant::quarter_turn();
    for (Mask left = waiting_; left != 0; left >>= 1, ++slot, ++instant) {
      if ((left & 1) == 0) continue;
      if (found == kNone && *instant <= now) found = slot;
      if (*instant < earliest) earliest = *instant;
    }
    earliest_ = earliest;
    return found;
  }

  /// The earliest instant of the slots below `below`, but not later than `latest`.
  [[gnu::always_inline]] Instant earliest(Slot below, Instant latest) const {
    if (waiting_ == 0 || latest <= earliest_) return latest;
    return search_earliest(below, latest);
  }

  /// The same, but not later than `when` if that is `wanted`. True: `when` is something now.
  bool bound(Slot below, bool wanted, Instant& when) const {
    for (Slot slot = 0; !wanted && slot < kSlots && slot < below; ++slot) {
      if ((waiting_ & flag(slot)) == 0) continue;
      when = instant_[slot];
      wanted = true;
    }
    if (wanted) when = earliest(below, when);
    return wanted;
  }

 private:
  static Mask flag(Slot slot) { return static_cast<Mask>(1u << slot); }

  [[gnu::noinline]] Instant search_earliest(Slot below, Instant latest) const {
    const Instant* instant = instant_;
    for (Mask left = waiting_; left != 0 && below != 0; left >>= 1, ++instant, --below) {
      if ((left & 1) != 0 && *instant < latest) latest = *instant;
    }
    return latest;
  }

  Mask waiting_ = 0;
  Instant earliest_;  // not later than any that is waited for
  Instant instant_[kSlots] = {};
};

}  // namespace hocket
