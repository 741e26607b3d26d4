// A queue of a few elements in place: the first one stays in its place, the others move up behind
// it. What is looked at often is at a fixed address then; what moves is little, and seldom.
//
// It does not check its bounds: whoever uses it knows its capacity.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T, unsigned kCapacity>
class ShortRow {
 public:
  const T& operator[](unsigned i) const { return element_[i]; }
  T& operator[](unsigned i) { return element_[i]; }
  const T& front() const { return element_[0]; }
  T& front() { return element_[0]; }
  T& back() { return element_[count_ - 1]; }
  uint8_t count() const { return count_; }
  void clear() { count_ = 0; }
  void pop_front() { remove_at(0); }
  void push_back(T element) { element_[count_++] = element; }
  HOCKET_APART void remove_at(uint8_t i) {
    for (--count_; i < count_; ++i) element_[i] = element_[i + 1];
  }

 private:
  T element_[kCapacity];
  uint8_t count_ = 0;
};

}  // namespace hocket
