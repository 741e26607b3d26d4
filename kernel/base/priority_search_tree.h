// One instant and one key per slot, with three questions answered in O(log n): which slot has the
// least key of those that are due, what is the earliest instant of those with a key below another
// one, and (O(1)) what is the earliest of all.
//
// A priority search tree (McCreight, «Priority search trees», SIAM J. Comput. 14(2), 1985): ordered
// by key, and each node knows the earliest instant of its subtree. It is balanced as an AVL tree
// (Adelson-Velsky, Landis 1962), so no path is longer than 1.44 · log2(n + 2).
//
//            key 50, at 7                 first_due(now = 5): go left where the earliest instant
//            ╱ earliest 2 ╲               there is ≤ 5, else take the node if it is due, else go
//     key 20, at 9     key 70, at 2       right: key 30. earliest_before(key 50): 4.
//             ╲ 4
//          key 30, at 4
//
// An order by deadlines needs it where fixed priorities have a tournament (tournament.h): a key is
// a deadline, the instant is when its owner is released. Owners that are due, but whose deadline is
// later than that of the running one, stay here until their turn: no decision moves more than one.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// `Key` has `<`, and no two slots wait with equal keys.
template <class Key, class Instant, unsigned kCapacity>
class PrioritySearchTree {
 public:
  using Slot = uint16_t;
  static constexpr Slot kNone = kCapacity;
  static_assert(kCapacity >= 1 && kCapacity < 0xffff);
  static_assert(!Instant::kCircular, "a circular clock has no «never»");

  /// No slot waits. To be called before anything else.
  void reset(unsigned slots) {
    HOCKET_CHECK(slots <= kCapacity);
    root_ = kNone;
    for (unsigned i = 0; i < slots; ++i) node_[i].height = 0;
    node_[kNone] = {.at = Instant::never(), .earliest = Instant::never()};
  }

  bool waits(Slot slot) const { return node_[slot].height != 0; }
  /// The longest path, in nodes.
  unsigned height() const { return node_[root_].height; }
  Instant earliest() const { return node_[root_].earliest; }
  bool due(Instant now) const { return earliest() <= now; }

  HOCKET_ASIDE void wait(Slot slot, const Key& key, Instant until) {
    if (waits(slot)) remove(slot);
    Slot parent = kNone, child = root_;
    bool right = false;
    while (child != kNone) {
      parent = child;
      right = node_[parent].key < key;
      child = node_[parent].child[right];
    }
    node_[slot] = {.key = key,
                   .at = until,
                   .earliest = until,
                   .child = {kNone, kNone},
                   .parent = parent,
                   .height = 1};
    (parent == kNone ? root_ : node_[parent].child[right]) = slot;
    settle_from(parent);
  }
  /// The slot waits for nothing any more.
  HOCKET_ASIDE void clear(Slot slot) {
    if (waits(slot)) remove(slot);
  }

  /// Of those whose instant is at or before `now`, the slot with the least key; kNone: there is
  /// none.
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

  /// The earliest instant of those with a key less than `key`, but not later than `latest`.
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
    Instant at;        // until when its owner waits
    Instant earliest;  // of the subtree
    Slot child[2] = {kNone, kNone};
    Slot parent = kNone;
    uint8_t height = 0;  // of the subtree; 0: it does not wait
  };

  int height_of(Slot slot) const { return node_[slot].height; }
  /// Puts `to` where `from` is below its parent.
  void replace(Slot from, Slot to) {
    const Slot parent = node_[from].parent;
    if (parent == kNone) {
      root_ = to;
    } else {
      node_[parent].child[node_[parent].child[1] == from] = to;
    }
    if (to != kNone) node_[to].parent = parent;
  }
  void adopt(Slot parent, bool right, Slot child) {
    node_[parent].child[right] = child;
    if (child != kNone) node_[child].parent = parent;
  }
  /// True: its height or its earliest instant was another one.
  bool update(Slot slot) {
    Node& node = node_[slot];
    const Node &left = node_[node.child[0]], &right = node_[node.child[1]];
    const auto height = static_cast<uint8_t>(1 + larger(left.height, right.height));
    const Instant earliest = smaller(node.at, smaller(left.earliest, right.earliest));
    if (height == node.height && earliest == node.earliest) return false;
    node.height = height;
    node.earliest = earliest;
    return true;
  }

  /// The child on that side takes the place of its parent.
  Slot rotate(Slot top, bool right) {
    const Slot child = node_[top].child[right];
    replace(top, child);
    adopt(top, right, node_[child].child[!right]);
    adopt(child, !right, top);
    static_cast<void>(update(top));
    static_cast<void>(update(child));
    return child;
  }

  /// From there to the root: heights, earliest instants and balance.
  void settle_from(Slot slot) {
    while (slot != kNone) {
      const int lean = height_of(node_[slot].child[1]) - height_of(node_[slot].child[0]);
      if (lean >= -1 && lean <= 1) {
        if (!update(slot)) return;
      } else {
        const bool right = lean > 0;
        const Slot heavy = node_[slot].child[right];
        if (height_of(node_[heavy].child[!right]) > height_of(node_[heavy].child[right])) {
          static_cast<void>(rotate(heavy, !right));
        }
        slot = rotate(slot, right);
      }
      slot = node_[slot].parent;
    }
  }

  void remove(Slot slot) {
    Node& node = node_[slot];
    if (node.child[0] != kNone && node.child[1] != kNone) {
      remove_between(slot);
    } else {
      replace(slot, node.child[node.child[0] == kNone]);
      settle_from(node.parent);
    }
    node.height = 0;
  }
  /// Of a slot with two children: the next one by key takes its place.
  void remove_between(Slot slot) {
    Slot next = node_[slot].child[1];
    while (node_[next].child[0] != kNone) next = node_[next].child[0];
    const Slot above = node_[next].parent;
    if (above != slot) {
      adopt(above, false, node_[next].child[1]);
      adopt(next, true, node_[slot].child[1]);
    }
    adopt(next, false, node_[slot].child[0]);
    replace(slot, next);
    node_[next].height = node_[slot].height;  // as its new parent knows it
    node_[next].earliest = node_[slot].earliest;
    if (above != slot) settle_from(above);
    settle_from(next);  // its own instant is another one, whatever has changed below it
  }

  Slot root_ = kNone;
  Node node_[kCapacity + 1];  // the last one stands for all subtrees that are empty
};

}  // namespace hocket
