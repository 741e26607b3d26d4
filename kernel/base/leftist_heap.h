// Intrusive priority queue with a bound for each call: insert, remove anywhere and join are O(log
// n) in the worst case, the first element is O(1), and nothing is allocated.
//
// A leftist tree (C. A. Crane, 1972): an element's rank is the length of its right spine, and no
// right child has a higher rank than its left sibling. The right spine of n elements therefore has
// at most log2(n + 1) elements, and merging follows right spines only. After a removal, ranks are
// corrected upwards until one does not change. Each rank that changes is one more than the one
// below it, so at most log2(n + 1) change.
//
// The heap has no lock. (Binary heaps in arrays need memory for all elements at once; pairing heaps
// and skew heaps bound only the mean of many calls.)
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T>
class LeftistHeap;

/// Base class of the elements. An element is in at most one heap.
template <class T>
class LeftistNode {
 public:
  bool in_heap() const { return rank_ != 0; }

 private:
  friend class LeftistHeap<T>;
  T* left_ = nullptr;
  T* right_ = nullptr;
  T* above_ = nullptr;
  uint8_t rank_ = 0;  // 0: in no heap
};

/// `T::before(a, b)` is a strict order.
template <class T>
class LeftistHeap {
 public:
  constexpr LeftistHeap() = default;
  LeftistHeap(const LeftistHeap&) = delete;
  LeftistHeap& operator=(const LeftistHeap&) = delete;

  /// The first element, or null.
  T* first() const { return root_; }

  void insert(T& item) {
    item.rank_ = 1;
    root_ = merge(root_, &item);
  }

  /// Removes an element, which may be anywhere in this heap.
  void remove(T& item) {
    T* const above = item.above_;
    T* const below = merge(item.left_, item.right_);
    if (above == nullptr) {
      root_ = below;
    } else {
      (above->left_ == &item ? above->left_ : above->right_) = below;
      if (below != nullptr) below->above_ = above;
      for (T* at = above; at != nullptr && settle(*at);) at = at->above_;
    }
    item.left_ = item.right_ = item.above_ = nullptr;
    item.rank_ = 0;
  }

  /// The first element has become later: moves it to its place.
  void first_is_later() {
    if (root_->left_ != nullptr) move_first();  // else it is alone
  }

  /// Takes all elements of another heap, which is then empty.
  void join(LeftistHeap& other) {
    root_ = merge(root_, other.root_);
    other.root_ = nullptr;
  }

 private:
  [[gnu::noinline]] void move_first() {
    T& item = *root_;
    remove(item);
    insert(item);
  }
  static uint8_t rank(const T* item) { return item == nullptr ? 0 : item->rank_; }
  static void swap(T*& a, T*& b) {
    T* const former = a;
    a = b;
    b = former;
  }

  /// Swaps the children if necessary and updates the rank. Returns whether the rank has changed.
  static bool settle(T& item) {
    if (rank(item.left_) < rank(item.right_)) swap(item.left_, item.right_);
    const auto now = static_cast<uint8_t>(rank(item.right_) + 1);
    const bool changed = item.rank_ != now;
    item.rank_ = now;
    return changed;
  }

  /// Merges two trees. The result's root has no parent.
  static T* merge(T* a, T* b) {
    T* root = nullptr;
    T* last = nullptr;  // of the merged right spine so far
    while (a != nullptr || b != nullptr) {
      if (a == nullptr || (b != nullptr && T::before(*b, *a))) swap(a, b);
      (last == nullptr ? root : last->right_) = a;
      a->above_ = last;
      if (b == nullptr) break;  // the rest of the spine is unchanged
      last = a;
      a = a->right_;
      last->right_ = nullptr;
    }
    for (; last != nullptr; last = last->above_) settle(*last);
    return root;
  }

  T* root_ = nullptr;
};

}  // namespace hocket
