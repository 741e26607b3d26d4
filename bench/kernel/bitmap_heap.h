// The usual alternative to the kernel's tournament tree, with the same interface: a bitmap of the
// slots that are due, found by counting zeros, and a binary heap of the instants still to come.
//
// What it cannot answer is «the earliest instant among the slots below this one»: a heap knows the
// earliest of all only. So its answer covers all slots, and the timer also interrupts for slots
// that come after the running one. And instants that pass move from the heap to the bitmap one by
// one, all of them in the first call that notices.
#pragma once

#include <bit>

#include "kernel/base/heap.h"
#include "kernel/base/types.h"

namespace hocket::bench {

template <class Instant>
struct HeapEntry {
  Instant at = Instant::never();
  uint16_t heap_index = kNotInHeap;

  friend bool earlier(const HeapEntry& a, const HeapEntry& b) { return a.at < b.at; }
};

template <class Instant, unsigned kCapacity>
class BitmapHeap {
 public:
  using Slot = uint16_t;
  static constexpr Slot kNone = 0xffff;
  static constexpr bool kSetsAside = false, kAsks = false;

  void reset(unsigned) {}

  void wait(Slot slot, Instant until) {
    clear(slot);
    entry_[slot].at = until;
    heap_.insert(entry_[slot]);
  }
  void clear_earliest(Slot slot) { clear(slot); }
  void clear(Slot slot) {
    if (heap_.contains(entry_[slot])) heap_.remove(entry_[slot]);
    unmark(slot);
  }

  bool due(Instant now) const { return summary_ != 0 || (!heap_.empty() && heap_.top().at <= now); }
  Slot first_due(Instant now) const {
    while (!heap_.empty() && heap_.top().at <= now) {
      Entry& entry = heap_.top();
      heap_.remove(entry);
      mark(static_cast<Slot>(&entry - entry_));
    }
    return first_marked();
  }

  /// See the head of this file: of slots still to come, the earliest of all.
  Instant earliest(Slot below, Instant latest) const {
    const Slot first = first_marked();
    if (first < below) latest = smaller(latest, entry_[first].at);
    if (!heap_.empty()) latest = smaller(latest, heap_.top().at);
    return latest;
  }

 private:
  using Entry = HeapEntry<Instant>;
  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWords = (kCapacity + kWordBits - 1) / kWordBits;
  static_assert(kWords <= kWordBits, "two levels of bitmaps");

  void mark(Slot slot) const {
    words_[slot / kWordBits] |= uint64_t{1} << slot % kWordBits;
    summary_ |= uint64_t{1} << slot / kWordBits;
  }
  void unmark(Slot slot) {
    uint64_t& word = words_[slot / kWordBits];
    word &= ~(uint64_t{1} << slot % kWordBits);
    if (word == 0) summary_ &= ~(uint64_t{1} << slot / kWordBits);
  }
  Slot first_marked() const {
    if (summary_ == 0) return kNone;
    const auto word = static_cast<unsigned>(std::countr_zero(summary_));
    return static_cast<Slot>(word * kWordBits +
                             static_cast<unsigned>(std::countr_zero(words_[word])));
  }

  // (Asking which slot is due moves those whose instant has passed.)
  mutable Entry entry_[kCapacity];
  mutable IndexedHeap<Entry, kCapacity> heap_;
  mutable uint64_t words_[kWords] = {};
  mutable uint64_t summary_ = 0;
};

}  // namespace hocket::bench
