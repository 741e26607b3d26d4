// few_instants.h for up to 128 slots: the same queries, for small processors with a circular clock
// and the memory for that many. A query visits the slots that wait, and no others; so its time
// grows with their number by a constant each, as that of few_instants.h does.
//
// The owner of a slot stores until when it waits (kAsks). Instants are in ticks. No locks: the
// scheduler calls these functions with the core locked.
#pragma once

#include "kernel/base/slot_set.h"
#include "kernel/base/time.h"

namespace hocket {

template <class Instant, unsigned kSlots>
class ManyInstants {
 public:
  using Slot = uint8_t;
  static constexpr Slot kNone = 0xff;
  static constexpr bool kAsks = true, kSetsAside = false;
  static_assert(kSlots < kNone);

  void reset(unsigned) {
    waiting_.clear();
    count_ = 0;
  }

  HOCKET_APART void wait(Slot slot, Instant until) {
    if (count_ == 0 || until < earliest_) earliest_ = until;
    if (waiting_.contains(slot)) return;
    waiting_.insert(slot);
    ++count_;
  }
  HOCKET_APART void clear(Slot slot) {
    if (!waiting_.contains(slot)) return;
    waiting_.remove(slot);
    --count_;
  }

  bool waits(Slot slot) const { return waiting_.contains(slot); }
  /// Whether a slot may be due. False is exact.
  bool due(Instant now) const { return count_ != 0 && earliest_ <= now; }
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
  template <class Look>
  [[gnu::noinline]] Slot take_due(Instant now, Look look) {
    Slot found = kNone;
    if constexpr (Look::kByKey) {
      found = look_for_due_by_key(now, look);
    } else {
      found = look_for_due(now, look);
    }
    if (found != kNone) clear(found);
    return found;
  }

  /// The earliest instant of the slots below `below`, or `latest` if that is earlier.
  template <class Look>
  [[gnu::always_inline]] Instant earliest(Slot below, Instant latest, Look look) const {
    if (count_ == 0 || latest <= earliest_) return latest;
    return search_earliest(below, latest, look);
  }

  /// Sets `when` to the earliest instant of the slots below `below`. If `wanted`, `when` is valid
  /// on entry and may only become earlier. Returns whether `when` is valid.
  template <class Look>
  bool bound(Slot below, bool wanted, Instant& when, Look look) const {
    if (!wanted) {
      waiting_.each([&](Slot slot) {
        if (slot >= below) return false;
        if (!matters(slot, look)) return true;
        when = look.until(slot);
        wanted = true;
        return false;
      });
    }
    if (wanted) when = earliest(below, when, look);
    return wanted;
  }

 private:
  /// Sets the remembered earliest instant to that of the other slots.
  template <class Look>
  Slot look_for_due(Instant now, Look look) {
    Slot found = kNone;
    Instant earliest = now + Instant::quarter_turn();
    waiting_.each([&](Slot slot) {
      const Instant instant = look.until(slot);
      if (found == kNone && instant <= now) {
        found = slot;
      } else if (instant < earliest) {
        earliest = instant;
      }
      return true;
    });
    earliest_ = earliest;
    return found;
  }

  /// Asks each owner for its key once.
  template <class Look>
  Slot look_for_due_by_key(Instant now, Look look) {
    Slot found = kNone;
    Instant earliest = now + Instant::quarter_turn(), found_at = earliest;
    decltype(look.key(Slot{})) first{};
    waiting_.each([&](Slot slot) {
      Instant stays = look.until(slot);
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
      return true;
    });
    earliest_ = earliest;
    return found;
  }

  template <class Look>
  static bool matters([[maybe_unused]] Slot slot, [[maybe_unused]] Look look) {
    if constexpr (Look::kByKey) return look.matters(slot);
    return true;
  }

  template <class Look>
  [[gnu::noinline]] Instant search_earliest(Slot below, Instant latest, Look look) const {
    waiting_.each([&](Slot slot) {
      if (slot >= below) return false;
      const Instant instant = look.until(slot);
      if (instant < latest && matters(slot, look)) latest = instant;
      return true;
    });
    return latest;
  }

  SlotSet<kSlots, SlotWords::Bytes> waiting_;
  uint8_t count_ = 0;
  Instant earliest_;  // not later than any instant that is waited for
};

}  // namespace hocket
