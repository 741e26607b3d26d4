// One instant and one key per slot, with three queries: the due slot with the least key and the
// earliest instant of the slots below a key, each in O(log n), and the earliest instant of all, in
// O(1).
//
// A priority search tree (McCreight, "Priority search trees", SIAM J. Comput. 14(2), 1985): ordered
// by key, and each node knows the earliest instant of its subtree. It is balanced as an AVL tree
// (Adelson-Velsky, Landis 1962), so no path is longer than 1.44 · log2(n + 2).
//
//            key 50, at 7                 first_due(now = 5): go left where the earliest instant
//            ╱ earliest 2 ╲               there is ≤ 5, else take the node if it is due, else go
//     key 20, at 9     key 70, at 2       right: key 30. earliest_before(key 50): 4.
//             ╲ 4
//          key 30, at 4
//
// Orders by deadline use it where fixed priorities use a tournament (tournament.h). A key is a
// deadline; the instant is when the slot's entity is released. A due entity whose deadline is later
// than that of the running one stays here until its turn, so no decision moves more than one.
//
// Instants are in ticks. No locks: the scheduler calls these functions with the core locked.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// `Key` has `<`, and no two slots wait with equal keys.
template <class Key, class Instant, unsigned kCapacity>
class PrioritySearchTree {
 public:
  using Slot = uint16_t;
  static constexpr Slot kNone = kCapacity;
  static constexpr bool kSetsAside = false;
  static constexpr bool kAsks = false;
  static_assert(kCapacity >= 1 && kCapacity < 0xffff);
  static_assert(!Instant::kCircular, "a circular clock has no «never»");

  /// Empties the tree. Call this before anything else.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kCapacity);
    root_ = kNone;
    for (unsigned i = 0; i < slots; ++i) node_[i].waits = false;
    node_[kNone] = {.at = Instant::never(), .earliest = Instant::never(), .parent = kNone};
  }

  bool waits(Slot slot) const { return node_[slot].waits; }
  Instant earliest() const { return node_[root_].earliest; }
  bool due(Instant now) const { return earliest() <= now; }

  HOCKET_ASIDE void wait(Slot slot, const Key& key, Instant until) {
    if (waits(slot)) remove(slot);
    Slot parent = kNone;
    bool right = false;
    for (Slot child = root_; child != kNone; child = node_[parent].child[right]) {
      parent = child;
      Node& node = node_[parent];
      if (until < node.earliest) node.earliest = until;
      right = node.key < key;
    }
    node_[slot] = {.key = key,
                   .at = until,
                   .earliest = until,
                   .child = {kNone, kNone},
                   .parent = parent,
                   .lean = 0,
                   .waits = true};
    (parent == kNone ? root_ : node_[parent].child[right]) = slot;
    has_grown(slot);
  }
  /// The slot no longer waits.
  HOCKET_ASIDE void clear(Slot slot) {
    if (waits(slot)) remove(slot);
  }

  /// The slot with the least key among those whose instant is at or before `now`, or kNone.
  HOCKET_ASIDE Slot first_due(Instant now) const {
    Slot slot = root_;
    if (!due(now)) return kNone;
    for (;;) {
      const Node& node = node_[slot];
      if (node_[node.child[0]].earliest <= now) {
        slot = node.child[0];
      } else if (node.at <= now) {
        return slot;
      } else {
        slot = node.child[1];
      }
    }
  }

  /// The earliest instant of the slots with a key less than `key`, or `latest` if that is earlier.
  HOCKET_IN_LINE Instant earliest(const Key& key, Instant latest) const {
    if (latest <= earliest()) return latest;
    return smaller(latest, earliest_before(key));
  }
  HOCKET_ASIDE Instant earliest_before(const Key& key) const {
    Instant result = Instant::never();
    for (Slot slot = root_; slot != kNone;) {
      const Node& node = node_[slot];
      const bool before = node.key < key;
      if (before) result = smaller(result, smaller(node.at, node_[node.child[0]].earliest));
      slot = node.child[before];
    }
    return result;
  }

 private:
  struct Node {
    Key key{};
    Instant at;        // until when the slot waits
    Instant earliest;  // of the subtree
    Slot child[2] = {};
    Slot parent = 0;
    int8_t lean = 0;  // height of the right subtree less that of the left one: -1, 0 or 1
    bool waits = false;
  };

  bool is_right(Slot slot) const { return node_[node_[slot].parent].child[1] == slot; }

  /// Puts `to` where `from` is below its parent.
  void replace(Slot from, Slot to) {
    const Slot parent = node_[from].parent;
    if (parent == kNone) {
      root_ = to;
    } else {
      node_[parent].child[is_right(from)] = to;
    }
    if (to != kNone) node_[to].parent = parent;
  }
  void adopt(Slot parent, bool right, Slot child) {
    node_[parent].child[right] = child;
    if (child != kNone) node_[child].parent = parent;
  }

  /// Returns whether the value has changed.
  bool update_earliest(Slot slot) {
    Node& node = node_[slot];
    const Instant earliest =
        smaller(node.at, smaller(node_[node.child[0]].earliest, node_[node.child[1]].earliest));
    if (earliest == node.earliest) return false;
    node.earliest = earliest;
    return true;
  }
  void update_from(Slot slot) {
    while (slot != kNone && update_earliest(slot)) slot = node_[slot].parent;
  }

  // --- Balance ---

  /// The subtree at `slot` has become one higher.
  void has_grown(Slot slot) {
    for (Slot parent; (parent = node_[slot].parent) != kNone; slot = parent) {
      const int side = is_right(slot) ? 1 : -1;
      const int lean = node_[parent].lean + side;
      if (lean == 2 * side) return static_cast<void>(rebalance(parent, side));
      node_[parent].lean = static_cast<int8_t>(lean);
      if (lean == 0) return;
    }
  }
  /// One subtree of `parent` has become one lower: the right one if `side` is 1, the left one if it
  /// is -1.
  void has_shrunk(Slot parent, int side) {
    while (parent != kNone) {
      Slot top = parent;
      parent = node_[top].parent;
      const int next_side = parent != kNone && is_right(top) ? 1 : -1;
      const int lean = node_[top].lean - side;
      if (lean == -2 * side) {
        top = rebalance(top, -side);
        if (node_[top].lean != 0) return;
      } else {
        node_[top].lean = static_cast<int8_t>(lean);
        if (lean != 0) return;
      }
      side = next_side;
    }
  }
  /// The subtree of `top` on `side` is two higher than the other. Returns the new root of this
  /// subtree. Its lean is 0 if the whole subtree has become one lower.
  [[gnu::noinline]] Slot rebalance(Slot top, int side) {
    const bool right = side > 0;
    const Slot heavy = node_[top].child[right];
    if (node_[heavy].lean == -side) {
      const Slot middle = node_[heavy].child[!right];
      const int8_t lean = node_[middle].lean;
      rotate(heavy, !right);
      rotate(top, right);
      node_[top].lean = static_cast<int8_t>(lean == side ? -side : 0);
      node_[heavy].lean = static_cast<int8_t>(lean == -side ? side : 0);
      node_[middle].lean = 0;
      return middle;
    }
    rotate(top, right);
    const bool stays = node_[heavy].lean == 0;
    node_[top].lean = static_cast<int8_t>(stays ? side : 0);
    node_[heavy].lean = static_cast<int8_t>(stays ? -side : 0);
    return heavy;
  }
  /// The child of `top` on that side takes the place of `top`.
  void rotate(Slot top, bool right) {
    const Slot child = node_[top].child[right];
    replace(top, child);
    adopt(top, right, node_[child].child[!right]);
    adopt(child, !right, top);
    node_[child].earliest = node_[top].earliest;
    static_cast<void>(update_earliest(top));
  }

  // --- Removal ---

  [[gnu::noinline]] void remove(Slot slot) {
    Node& node = node_[slot];
    node.waits = false;
    if (node.child[0] != kNone && node.child[1] != kNone) return remove_between(slot);
    const int side = node.parent != kNone && is_right(slot) ? 1 : -1;
    replace(slot, node.child[node.child[0] == kNone]);
    update_from(node.parent);
    has_shrunk(node.parent, side);
  }
  /// Removes a slot with two children: the next slot by key takes its place.
  [[gnu::noinline]] void remove_between(Slot slot) {
    Slot next = node_[slot].child[1];
    while (node_[next].child[0] != kNone) next = node_[next].child[0];
    const Slot above = node_[next].parent;
    if (above != slot) {
      adopt(above, false, node_[next].child[1]);
      adopt(next, true, node_[slot].child[1]);
    }
    adopt(next, false, node_[slot].child[0]);
    replace(slot, next);
    node_[next].lean = node_[slot].lean;
    node_[next].earliest = node_[slot].earliest;  // as its new parent knows it
    if (above != slot) update_from(above);
    update_from(next);  // its own instant differs, whatever has changed below it
    above == slot ? has_shrunk(next, 1) : has_shrunk(above, -1);
  }

  // All zero before reset(), so that a core that has not begun takes no room in an image.
  Slot root_ = 0;
  Node node_[kCapacity + 1];  // the last one stands for all empty subtrees
};

}  // namespace hocket
