// One instant per slot, with three questions answered in O(log n): which is the first slot that is
// due, what is the earliest instant below a slot, and (O(1)) what is the earliest of all.
//
// A tournament tree: each inner node holds the earlier of its two children.
//
//                    [ 3 ]                 first_due(now = 5): go left where the left child is ≤ 5,
//              [ 7 ]       [ 3 ]           otherwise right: slot 2. earliest_before(2): 7.
//            [ 7 ] [ 9 ] [ 3 ] [ ∞ ]       slots 0 1 2 3
//
// The scheduler gives each server the slot of its priority, so this one structure is its
// replenishment queue and its sleep queue (docs/decisions/one-tournament-per-core.md). A slot that
// is due, but comes after the running one, is set aside: out of the tree, whose earliest instant is
// then one to come again, and into a set that knows its first one in a few instructions. Small
// processors have few_instants.h instead.
#pragma once

#include "kernel/base/slot_set.h"

namespace hocket {

template <class Instant, unsigned kCapacity>
class Tournament {
 public:
  using Slot = uint16_t;
  static constexpr unsigned kLeaves = power_of_two_at_least(kCapacity);
  static constexpr Slot kNone = 0xffff;
  static constexpr bool kSetsAside = true;
  static constexpr bool kAsks = false;
  static_assert(kCapacity >= 1 && kLeaves < kNone);
  static_assert(!Instant::kCircular, "a circular clock has no «never»");

  /// Sets the number of slots in use (none has an instant), which bounds the depth of the tree. To
  /// be called before anything else.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kCapacity);
    leaves_ = static_cast<Slot>(power_of_two_at_least(slots < 1 ? 1 : slots));
    for (unsigned i = 0; i < 2u * leaves_; ++i) node_[i] = Instant::never();
    aside_.clear();
    first_aside_ = kNone;
  }

  Instant at(Slot slot) const { return node_[leaves_ + slot]; }
  Instant earliest() const { return node_[1]; }
  bool waits(Slot slot) const { return at(slot) != Instant::never() || aside_.contains(slot); }

  void wait(Slot slot, Instant until) { set(slot, until); }
  /// The slot waits for nothing any more.
  void clear(Slot slot) {
    if (first_aside_ != kNone) take_back(slot);
    set(slot, Instant::never());
  }
  /// The first slot that is due is to be kept apart from those that are not.
  void set_aside(Slot slot) {
    if (first_aside_ != slot) take_aside(slot);
  }
  /// The first of those that were set aside; kNone when there is none.
  Slot first_aside() const { return first_aside_; }
  /// The same for who was the earliest, most probably: all the way up somebody else comes first.
  HOCKET_IN_LINE void clear_earliest(Slot slot) {
    if (first_aside_ != kNone) take_back(slot);
    Instant winner = Instant::never();
    unsigned i = leaves_ + slot;
    node_[i] = winner;
    while (i > 1) {
      winner = smaller(winner, node_[i ^ 1]);
      i /= 2;
      node_[i] = winner;
    }
  }

  bool due(Instant now) const { return node_[1] <= now || first_aside_ != kNone; }
  /// Whether one is due that is not set aside.
  bool newly_due(Instant now) const { return node_[1] <= now; }
  /// Whether one of the slots below `below` is due, perhaps: at once if none is.
  bool due_below(Slot below, Instant now) const { return node_[1] <= now || first_aside_ < below; }
  /// Whether one of them is.
  bool due_before(Slot slot, Instant now) const {
    return first_aside_ < slot || earliest_before(slot) <= now;
  }
  /// Lowest slot whose instant is at or before `now`; kNone when there is none.
  Slot first_due(Instant now) const {
    return node_[1] <= now ? smaller(first_aside_, first_in_tree(now)) : first_aside_;
  }

  /// The earliest instant of the slots below `below` that are not set aside, but not later than
  /// `latest`.
  HOCKET_IN_LINE Instant earliest(Slot below, Instant latest) const {
    if (latest <= node_[1]) return latest;
    return smaller(latest, earliest_before(below));
  }

  /// Earliest instant among the slots below `slot` that are not set aside.
  HOCKET_ASIDE Instant earliest_before(Slot slot) const {
    if (slot >= leaves_) return node_[1];
    Instant result = Instant::never();
    for (unsigned i = leaves_ + slot; i > 1; i /= 2) {
      if (i & 1) result = smaller(result, node_[i - 1]);
    }
    return result;
  }

 private:
  HOCKET_ASIDE void take_aside(Slot slot) {
    clear_earliest(slot);
    aside_.insert(slot);
    first_aside_ = slot;  // (of all that are due it was the first)
  }
  HOCKET_ASIDE void take_back(Slot slot) {
    aside_.remove(slot);
    if (slot == first_aside_) first_aside_ = static_cast<Slot>(aside_.first());
  }
  /// The lowest one that is due in the tree; there is one.
  Slot first_in_tree(Instant now) const {
    const unsigned leaves = leaves_;
    unsigned i = 1;
    while (i < leaves) {
      i *= 2;
      asm("" : "+r"(i));  // one addition is shorter than putting its lowest bit into place
      if (node_[i] > now) ++i;
    }
    return static_cast<Slot>(i - leaves);
  }

  HOCKET_ASIDE void set(Slot slot, Instant instant) {
    unsigned i = leaves_ + slot;
    Instant winner = instant;
    node_[i] = winner;
    while (i > 1) {
      winner = smaller(winner, node_[i ^ 1]);
      i /= 2;
      if (node_[i] == winner) return;
      node_[i] = winner;
    }
  }

  // (All zero before reset(), so that a core that has not begun takes no place in an image.)
  Slot leaves_ = 0;
  Slot first_aside_ = 0;
  SlotSet<kCapacity, false> aside_;
  Instant node_[2 * kLeaves];  // node_[1] is the root; node_[0] is not used
};

}  // namespace hocket
