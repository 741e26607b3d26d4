// Fixed-capacity binary heap of objects that store their own position: O(log n) to insert and to
// remove any element, O(1) to find the earliest. Nothing is allocated.
//
// An element has a public `uint16_t heap_index` (kNotInHeap when it is in none) and is compared by
// `earlier(const T&, const T&)`.
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

inline constexpr uint16_t kNotInHeap = 0xffff;

template <class T, unsigned kCapacity>
class IndexedHeap {
  static_assert(kCapacity < kNotInHeap);

 public:
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kCapacity; }
  unsigned size() const { return size_; }
  /// The earliest element; the heap must not be empty.
  T& top() const {
    HOCKET_CHECK(!empty());
    return *item_[0];
  }
  static bool contains(const T& item) { return item.heap_index != kNotInHeap; }

  /// Returns false if the heap is full.
  bool insert(T& item) {
    HOCKET_CHECK(!contains(item));
    if (full()) return false;
    place(item, size_++);
    sift_up(item.heap_index);
    return true;
  }

  /// The earliest element has become later: moves it to its place.
  void top_is_later() { sift_down(0); }

  void remove(T& item) {
    HOCKET_CHECK(contains(item));
    const uint16_t hole = item.heap_index;
    item.heap_index = kNotInHeap;
    T& last = *item_[--size_];
    if (&last == &item) return;
    place(last, hole);
    sift_up(hole);
    sift_down(last.heap_index);
  }

 private:
  void place(T& item, uint16_t index) {
    item_[index] = &item;
    item.heap_index = index;
  }

  void sift_up(uint16_t index) {
    T& item = *item_[index];
    while (index > 0) {
      const auto parent = static_cast<uint16_t>((index - 1) / 2);
      if (!earlier(item, *item_[parent])) break;
      place(*item_[parent], index);
      index = parent;
    }
    place(item, index);
  }

  void sift_down(uint16_t index) {
    if constexpr (kCapacity == 1) return;
    T& item = *item_[index];
    for (;;) {
      auto child = static_cast<uint16_t>(2 * index + 1);
      if (child >= size_) break;
      if (child + 1u < size_ && earlier(*item_[child + 1], *item_[child])) ++child;
      if (!earlier(*item_[child], item)) break;
      place(*item_[child], index);
      index = child;
    }
    place(item, index);
  }

  T* item_[kCapacity] = {};
  uint16_t size_ = 0;
};

}  // namespace hocket
