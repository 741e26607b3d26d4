// A Tournament for few slots and circular clocks: one instant per slot, answered by looking at
// each.
//
//   wanted   1 0 1 1        a bit for each slot that has an instant: no «never» is needed
//   instant  7 . 3 9        first_due(now = 5): slot 2
//
// Up to some eight slots this is shorter, smaller and faster than a tree
// (docs/decisions/one-tournament-per-core.md): set() and clear() are O(1), questions O(slots).
#pragma once

#include "kernel/base/tournament.h"

namespace hocket {

template <class Instant, unsigned kCapacity>
class SlotTable {
 public:
  using Slot = uint16_t;
  static constexpr Slot kNone = 0xffff;
  static_assert(kCapacity >= 1 && kCapacity <= 16);

  /// Sets the number of slots in use; all want nothing. To be called before anything else.
  void resize(unsigned slots) {
    HOCKET_CHECK(slots <= kCapacity);
    slots_ = static_cast<uint8_t>(slots);
    wanted_ = 0;
  }

  void set(Slot slot, Instant instant) {
    HOCKET_CHECK(slot < slots_);
    instant_[slot] = instant;
    wanted_ |= flag(slot);
  }
  void clear(Slot slot) { wanted_ &= static_cast<Mask>(~flag(slot)); }

  /// Lowest slot whose instant is at or before `now`; kNone when there is none.
  Slot first_due(Instant now) const {
    Mask left = wanted_;
    for (uint8_t slot = 0; left != 0; ++slot, left >>= 1) {
      if ((left & 1) != 0 && instant_[slot] <= now) return slot;
    }
    return kNone;
  }

  /// The earliest instant of all, or of the slots below `slot`; `bound` if that is earlier.
  Instant earliest(Instant bound) const { return earliest_before(slots_, bound); }
  Instant earliest_before(Slot slot, Instant bound) const {
    Mask left = wanted_;
    for (uint8_t i = 0; i < slot && left != 0; ++i, left >>= 1) {
      if ((left & 1) != 0) bound = smaller(instant_[i], bound);
    }
    return bound;
  }

 private:
  template <bool kFew, class = void>
  struct MaskFor {
    using Type = uint8_t;
  };
  template <class Unused>
  struct MaskFor<false, Unused> {
    using Type = uint16_t;
  };
  using Mask = typename MaskFor<kCapacity <= 8>::Type;
  static Mask flag(Slot slot) { return static_cast<Mask>(1u << slot); }

  Instant instant_[kCapacity] = {};
  Mask wanted_ = 0;
  uint8_t slots_ = 0;
};

namespace detail {
template <class Instant, unsigned kCapacity, bool kCircular>
struct SlotQueueFor {
  using Type = Tournament<Instant, kCapacity>;
};
template <class Instant, unsigned kCapacity>
struct SlotQueueFor<Instant, kCapacity, true> {
  using Type = SlotTable<Instant, kCapacity>;
};
}  // namespace detail

/// What a clock's scheduler keeps its slots in.
template <class Instant, unsigned kCapacity>
using SlotQueue = typename detail::SlotQueueFor<Instant, kCapacity, Instant::kCircular>::Type;

}  // namespace hocket
