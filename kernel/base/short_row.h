// A queue of a few elements in place. The first one stays in its place, so that what is used often
// has a fixed address. The others:
//   a few      move up when one before them goes, which is rare and little to move
//   8 to 16    stay in their places; a word stores their order:
//
//     order   … 4 2 1 3 0       places   [a] [c] [d] [b] [ ]       row   a b c d
//                       ╰ the front's
//
// Bounds are checked in checked builds only; the user knows the capacity.
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T, unsigned kCapacity, bool kOrdered = (kCapacity >= 8 && kCapacity <= 16)>
class ShortRow {
 public:
  const T& operator[](unsigned i) const { return element_[place(i)]; }
  T& operator[](unsigned i) { return element_[place(i)]; }
  const T& front() const { return element_[0]; }
  T& front() { return element_[0]; }
  T& back() { return element_[place(count_ - 1u)]; }
  uint8_t count() const { return count_; }
  void clear() {
    count_ = 0;
    order_ = 0xfedc'ba98'7654'3210 & kAll;
  }
  void pop_front() { remove_at(0); }
  void push_back(T element) {
    HOCKET_CHECK(count_ < kCapacity);
    element_[place(count_++)] = element;
  }
  HOCKET_SHORT void remove_at(unsigned i) {
    HOCKET_CHECK(i < count_);
    if (i == 0) {
      element_[0] = element_[place(1)];
      i = 1;
    }
    const uint64_t before = order_ & ((uint64_t{1} << 4 * i) - 1);
    const uint64_t behind = order_ >> 4 * i >> 4 << 4 * i;
    // The place that is free now is the last to be used again.
    order_ = before | behind | uint64_t{place(i)} << 4 * (kCapacity - 1);
    --count_;
  }

 private:
  static constexpr uint64_t kAll = ~uint64_t{0} >> (64 - 4 * kCapacity);
  unsigned place(unsigned i) const { return order_ >> 4 * i & 0xf; }

  T element_[kCapacity];
  uint64_t order_ = 0;  // initialised by clear()
  uint8_t count_ = 0;
};

template <class T, unsigned kCapacity>
class ShortRow<T, kCapacity, false> {
 public:
  const T& operator[](unsigned i) const { return *at(element_, i); }
  T& operator[](unsigned i) { return *at(element_, i); }
  const T& front() const { return element_[0]; }
  T& front() { return element_[0]; }
  T& back() { return *at(element_, count_ - 1u); }
  uint8_t count() const { return count_; }
  void clear() { count_ = 0; }
  void keep_front() { count_ = 1; }
  void pop_front() { remove_at(0); }
  void push_back(T element) {
    HOCKET_CHECK(count_ < kCapacity);
    *at(element_, count_++) = element;
  }
  HOCKET_APART void remove_at(uint8_t i) {
    HOCKET_CHECK(i < count_);
    --count_;
    for (T* element = at(element_, i); i < count_; ++i, ++element) *element = element[1];
  }

 private:
  /// With 16-bit addresses and a row of less than 256 bytes, an offset fits into 8 bits.
  template <class Element>
  static Element* at(Element* first, unsigned i) {
    if constexpr (sizeof(first) > sizeof(uint16_t) || sizeof(T) * kCapacity > 0xff) {
      return first + i;
    } else {
      const auto place = static_cast<uint8_t>(static_cast<uint8_t>(i) * uint8_t{sizeof(T)});
      return reinterpret_cast<Element*>(reinterpret_cast<size_t>(first) + place);
    }
  }

  T element_[kCapacity];
  uint8_t count_ = 0;
};

}  // namespace hocket
