// Who is due and who waits, by slot: two sets of bits, and what is waited for.
//
//   slot       0 1 2 3 4 5 6 7
//   due        . . 1 . . 1 . .     the first one runs
//   waiting    . . . 1 . . 1 .     until the slot's instant
//
// A slot is in one of the sets or in neither. Looking for the first in a set is a few instructions,
// comparing two instants of a small processor many: so the earliest instant waited for (or one
// before it) is remembered, and whether anything has happened is one comparison.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Instant, unsigned kMaxSlots>
class SlotSets {
  static_assert(kMaxSlots <= 16);
  template <bool kFew, class = void>
  struct MaskFor {
    using Type = uint8_t;
  };
  template <class Unused>
  struct MaskFor<false, Unused> {
    using Type = uint16_t;
  };

 public:
  using Slot = uint8_t;
  using Mask = typename MaskFor<(kMaxSlots <= 8)>::Type;
  static constexpr Mask kAll = static_cast<Mask>(~0u);

  static Mask flag(Slot slot) { return static_cast<Mask>(1u << slot); }
  /// The slots that come before this flag's; all of them before none.
  static Mask before(Mask flag) { return static_cast<Mask>(flag - 1u); }

  void clear() { due_ = waiting_ = 0; }

  Mask due() const { return due_; }
  Mask waiting() const { return waiting_; }
  Instant instant(Slot slot) const { return instant_[slot]; }

  void set_due(Mask flag) { due_ |= flag; }
  void end_waiting(Mask flag) { waiting_ &= static_cast<Mask>(~flag); }
  void remove(Mask flag) {
    due_ &= static_cast<Mask>(~flag);
    end_waiting(flag);
  }

  HOCKET_APART void wait(Slot slot, Mask flag, Instant until) {
    if (waiting_ == 0 || until < earliest_) earliest_ = until;
    instant_[slot] = until;
    waiting_ |= flag;
  }

  /// Whether an instant that is waited for may have come.
  bool passed(Instant now) const { return waiting_ != 0 && earliest_ <= now; }

  /// An instant not later than any that is waited for; some slot waits.
  Instant earliest() const { return earliest_; }
  /// The earliest one that a slot of this set waits for, or `bound`.
  HOCKET_APART Instant earliest_of(Mask set, Instant bound) const {
    for (const Instant* at = instant_; set != 0; set >>= 1, ++at) {
      if ((set & 1) != 0 && *at < bound) bound = *at;
    }
    return bound;
  }

  /// Nobody waits any more, and whoever did is given to `call(slot)`, which may let it wait again.
  template <class Call>
  void take_waiting(Call call) {
    Mask left = waiting_;
    waiting_ = 0;
    for (Slot slot = 0; left != 0; left >>= 1, ++slot) {
      if ((left & 1) != 0) call(slot);
    }
  }

 private:
  Mask due_ = 0;
  Mask waiting_ = 0;
  Instant earliest_;
  Instant instant_[kMaxSlots] = {};
};

}  // namespace hocket
