// One instant per slot, with three queries: the first slot that is due and the earliest instant
// below a slot, each in O(log n), and the earliest instant of all, in O(1).
//
// A tournament tree: each inner node holds the earlier of its two children.
//
//                    [ 3 ]                 first_due(now = 5): go left where the left child is ≤ 5,
//              [ 7 ]       [ 3 ]           otherwise right: slot 2. earliest_before(2): 7.
//            [ 7 ] [ 9 ] [ 3 ] [ ∞ ]       slots 0 1 2 3
//
// The scheduler gives each server the slot of its priority, so this structure is both its
// replenishment queue and its sleep queue (docs/decisions/one-state-machine.md). A due slot
// that comes after the running one is set aside: it leaves the tree, so the tree's earliest instant
// is in the future again, and enters a set whose first element is found in a few instructions.
// Small processors use few_instants.h instead.
//
// Instants are in ticks. No locks: the scheduler calls these functions with the core locked.
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

  /// Sets the number of slots in use, which bounds the depth of the tree. No slot has an instant
  /// afterwards. Call this before anything else.
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
  /// The slot no longer waits.
  void clear(Slot slot) {
    if (first_aside_ != kNone) take_back(slot);
    set(slot, Instant::never());
  }
  /// Sets the first due slot apart from those that are not due.
  void set_aside(Slot slot) {
    if (first_aside_ != slot) take_aside(slot);
  }
  /// The first slot that was set aside, or kNone.
  Slot first_aside() const { return first_aside_; }
  /// clear() for a slot that probably had the earliest instant. In that case each node up to the
  /// root changes, so no early exit is tested.
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
  /// Whether a slot is due that is not set aside.
  bool newly_due(Instant now) const { return node_[1] <= now; }
  /// A quick test whether a slot below `below` is due: false is exact, true means "perhaps".
  bool due_below(Slot below, Instant now) const { return node_[1] <= now || first_aside_ < below; }
  /// Whether a slot below `slot` is due, exactly.
  bool due_before(Slot slot, Instant now) const {
    return first_aside_ < slot || earliest_before(slot) <= now;
  }
  /// The lowest slot whose instant is at or before `now`, or kNone.
  Slot first_due(Instant now) const {
    return node_[1] <= now ? smaller(first_aside_, first_in_tree(now)) : first_aside_;
  }

  /// The earliest instant of the slots below `below` that are not set aside, or `latest` if that is
  /// earlier.
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
    first_aside_ = slot;  // (it was the first of all due slots)
  }
  HOCKET_ASIDE void take_back(Slot slot) {
    aside_.remove(slot);
    if (slot == first_aside_) first_aside_ = static_cast<Slot>(aside_.first());
  }
  /// The lowest due slot in the tree. There must be one.
  Slot first_in_tree(Instant now) const {
    const unsigned leaves = leaves_;
    unsigned i = 1;
    while (i < leaves) {
      i *= 2;
      asm("" : "+r"(i));  // keeps one addition, which is shorter than inserting the lowest bit
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

  // All zero before reset(), so that a core that has not begun takes no room in an image.
  Slot leaves_ = 0;
  Slot first_aside_ = 0;
  SlotSet<kCapacity, SlotWords::Wide> aside_;
  Instant node_[2 * kLeaves];  // node_[1] is the root; node_[0] is not used
};

}  // namespace hocket
