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

  void resize(unsigned) {}

  Instant at(Slot slot) const { return entry_[slot].at; }

  void set(Slot slot, Instant instant) {
    Entry& entry = entry_[slot];
    if (heap_.contains(entry)) heap_.remove(entry);
    unmark(slot);
    entry.at = instant;
    if (instant == Instant::never()) return;
    if (instant <= looked_at_) {
      mark(slot);
    } else {
      heap_.insert(entry);
    }
  }

  struct Due {
    Slot slot;
    Instant before;
  };

  Due first_due(Instant now) {
    looked_at_ = now;
    while (!heap_.empty() && heap_.top().at <= now) {
      Entry& entry = heap_.top();
      heap_.remove(entry);
      mark(static_cast<Slot>(&entry - entry_));
    }
    const Slot first = first_marked();
    return {first, earliest_before(first)};
  }

  Instant earliest() const { return earliest_before(kNone); }

  /// See the head of this file: of slots still to come, the earliest of all.
  Instant earliest_before(Slot slot) const {
    const Slot first = first_marked();
    if (first < slot) return entry_[first].at;
    return heap_.empty() ? Instant::never() : heap_.top().at;
  }

 private:
  using Entry = HeapEntry<Instant>;
  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWords = (kCapacity + kWordBits - 1) / kWordBits;
  static_assert(kWords <= kWordBits, "two levels of bitmaps");

  void mark(Slot slot) {
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

  Entry entry_[kCapacity];
  IndexedHeap<Entry, kCapacity> heap_;
  uint64_t words_[kWords] = {};
  uint64_t summary_ = 0;
  Instant looked_at_;
};

}  // namespace hocket::bench
