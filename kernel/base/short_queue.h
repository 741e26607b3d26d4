// A queue of a few elements in place, two ways.
//
//   ShortRing   the first one wanders, nobody moves:              where multiplying is cheap
//   ShortRow    the first one stays in its place, others move up: where addresses are dear
//
// Neither checks its bounds: whoever uses one knows its capacity.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T, unsigned kCapacity>
class ShortRing {
 public:
  const T& operator[](unsigned i) const { return element_[index(i)]; }
  T& operator[](unsigned i) { return element_[index(i)]; }
  const T& front() const { return element_[first_]; }
  T& front() { return element_[first_]; }
  unsigned count() const { return count_; }
  void clear() { first_ = count_ = 0; }
  void pop_front() {
    first_ = static_cast<uint8_t>(index(1));
    --count_;
  }
  void push_back(const T& element) { (*this)[count_++] = element; }

 private:
  unsigned index(unsigned i) const {
    const unsigned position = first_ + i;
    return position >= kCapacity ? position - kCapacity : position;
  }

  T element_[kCapacity];
  uint8_t first_ = 0;
  uint8_t count_ = 0;
};

template <class T, unsigned kCapacity>
class ShortRow {
 public:
  const T& operator[](unsigned i) const { return element_[i]; }
  T& operator[](unsigned i) { return element_[i]; }
  const T& front() const { return element_[0]; }
  T& front() { return element_[0]; }
  unsigned count() const { return count_; }
  void clear() { count_ = 0; }
  HOCKET_APART void pop_front() {
    --count_;
    for (uint8_t i = 0; i < count_; ++i) element_[i] = element_[i + 1];
  }
  void push_back(const T& element) { element_[count_++] = element; }

 private:
  T element_[kCapacity];
  uint8_t count_ = 0;
};

}  // namespace hocket
