// One instant per slot for a few slots, with the queries of tournament.h: the first due slot, and
// the earliest instant of the slots below a given one.
//
//   slot       0 1 2 3 4 5 6 7
//   waiting    . . . 1 . . 1 .     until the slot's instant; the other slots have none
//
// For small processors and circular clocks, which have no never(). Comparing two instants takes
// many instructions there, so the earliest instant (or an earlier one) is remembered, and the test
// whether a slot is due is one comparison.
//
// `kAsks`: the owner of a slot stores until when it waits, and the instant is not stored here
// again. Each query then takes an object `look` with `look.until(slot)`. If owners are not ordered
// by slot (kByKey), it also has `look.key(slot)` and `look.matters(slot)`.
//
// Instants are in ticks. No locks: the scheduler calls these functions with the core locked.
#pragma once

#include "kernel/base/slot_set.h"
#include "kernel/base/time.h"

namespace hocket {

/// The `look` of a queue that stores the instants itself and orders by slot.
struct Kept {
  static constexpr bool kByKey = false;
};

template <class Instant, unsigned kSlots, bool kAsksOthers = false>
class FewInstants {
  static_assert(kSlots <= 16);
  using Mask = ChosenType<(kSlots <= 8), uint8_t, uint16_t>;

 public:
  using Slot = uint8_t;
  static constexpr Slot kNone = 0xff;
  static constexpr bool kAsks = kAsksOthers, kSetsAside = false;

  void reset(unsigned) { waiting_ = 0; }

  HOCKET_APART void wait(Slot slot, Instant until) {
    if (waiting_ == 0 || until < earliest_) earliest_ = until;
    if constexpr (!kAsks) row_.instant[slot] = until;
    waiting_ |= flag(slot);
  }
  HOCKET_APART void clear(Slot slot) { waiting_ &= static_cast<Mask>(~flag(slot)); }

  bool waits(Slot slot) const { return (waiting_ & flag(slot)) != 0; }
  /// Whether a slot may be due. False is exact.
  bool due(Instant now) const { return waiting_ != 0 && earliest_ <= now; }
  /// The lowest slot whose instant is at or before `now`, or kNone. Before the next query, call
  /// clear() or stay() for it.
  template <class Look>
  [[gnu::noinline]] Slot first_due(Instant now, Look look) {
    return look_for_due(now, look);
  }
  /// Leaves the slot that first_due() returned waiting. Its instant has passed, and `now` stands
  /// for it.
  [[gnu::always_inline]] void stay(Instant now) { earliest_ = now; }
  /// Removes and returns the first slot whose instant is at or before `now`, or kNone: the lowest
  /// slot, unless `look` orders by key.
  template <class Look = Kept>
  [[gnu::noinline]] Slot take_due(Instant now, Look look = {}) {
    if constexpr (Look::kByKey) return take_due_by_key(now, look);
    const Slot found = look_for_due(now, look);
    if (found != kNone) clear(found);
    return found;
  }

  /// The earliest instant of the slots below `below`, or `latest` if that is earlier.
  template <class Look = Kept>
  [[gnu::always_inline]] Instant earliest(Slot below, Instant latest, Look look = {}) const {
    if (waiting_ == 0 || latest <= earliest_) return latest;
    return search_earliest(below, latest, look);
  }

  /// Sets `when` to the earliest instant of the slots below `below`. If `wanted`, `when` is valid
  /// on entry and may only become earlier. Returns whether `when` is valid.
  template <class Look = Kept>
  bool bound(Slot below, bool wanted, Instant& when, Look look = {}) const {
    for (Slot slot = 0; !wanted && slot < kSlots && slot < below; ++slot) {
      if ((waiting_ & flag(slot)) == 0 || !matters(slot, look)) continue;
      when = at(slot, look);
      wanted = true;
    }
    if (wanted) when = earliest(below, when, look);
    return wanted;
  }

 private:
  struct Row {
    Instant instant[kSlots] = {};
  };
  struct Nothing {};

  static Mask flag(Slot slot) { return set_of<Mask>(slot); }
  template <class Look>
  Instant at(Slot slot, [[maybe_unused]] Look look) const {
    if constexpr (kAsks) {
      return look.until(slot);
    } else {
      return row_.instant[slot];
    }
  }

  /// Sets the remembered earliest instant to that of the other slots.
  template <class Look>
  Slot look_for_due(Instant now, Look look) {
    Slot found = kNone;
    Instant earliest = now + Instant::quarter_turn();
    Slot slot = 0;
    for (Mask left = waiting_; left != 0; left >>= 1, ++slot) {
      if ((left & 1) == 0) continue;
      const Instant instant = at(slot, look);
      if (found == kNone && instant <= now) {
        found = slot;
      } else if (instant < earliest) {
        earliest = instant;
      }
    }
    earliest_ = earliest;
    return found;
  }

  /// Asks each owner for its key once.
  template <class Look>
  Slot take_due_by_key(Instant now, Look look) {
    Slot found = kNone, slot = 0;
    Instant earliest = now + Instant::quarter_turn(), found_at = earliest;
    decltype(look.key(slot)) first{};
    for (Mask left = waiting_; left != 0; left >>= 1, ++slot) {
      if ((left & 1) == 0) continue;
      Instant stays = at(slot, look);
      if (stays <= now) {
        const auto own = look.key(slot);
        if (found == kNone || own < first) {
          const Instant instant = stays;
          stays = found_at;
          found = slot;
          found_at = instant;
          first = own;
        }
      }
      if (stays < earliest) earliest = stays;
    }
    earliest_ = earliest;
    if (found != kNone) clear(found);
    return found;
  }
  template <class Look>
  static bool matters([[maybe_unused]] Slot slot, [[maybe_unused]] Look look) {
    if constexpr (Look::kByKey) return look.matters(slot);
    return true;
  }

  template <class Look>
  [[gnu::noinline]] Instant search_earliest(Slot below, Instant latest, Look look) const {
    Slot slot = 0;
    for (Mask left = waiting_; left != 0 && slot != below; left >>= 1, ++slot) {
      if ((left & 1) == 0) continue;
      const Instant instant = at(slot, look);
      if (instant < latest && matters(slot, look)) latest = instant;
    }
    return latest;
  }

  Mask waiting_ = 0;
  Instant earliest_;  // not later than any instant that is waited for
  [[no_unique_address]] ChosenType<kAsks, Nothing, Row> row_{};
};

}  // namespace hocket
