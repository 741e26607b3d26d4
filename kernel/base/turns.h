// Who takes turns in idle time: each of them gets it before one gets it again.
//
// A list, whose first one is who has waited longest; or, for a few in slots on a small processor, a
// set of bits and who had the last turn.
#pragma once

#include "kernel/base/list.h"

namespace hocket {

template <class T, bool kFew>
class Turns {
 public:
  using Node = ListNode<T>;  // what T is made of

  bool empty() const { return list_.empty(); }
  void push_back(T& item) { list_.push_back(item); }
  static void remove(T& item) { List<T>::remove(item); }
  /// It is there, and has its turn.
  template <class Slots>
  T& next(const Slots&) {
    T& item = list_.pop_front();
    list_.push_back(item);
    return item;
  }

 private:
  List<T> list_;
};

/// `T` has a `rank` below 8, and slots.at(rank) leads to it.
template <class T>
class Turns<T, true> {
 public:
  struct Node {};

  bool empty() const { return set_ == 0; }
  void push_back(const T& item) { set_ |= flag(item); }
  void remove(const T& item) { set_ &= static_cast<uint8_t>(~flag(item)); }
  template <class Slots>
  T& next(const Slots& slots) {
    do {
      last_ = static_cast<uint8_t>(last_ + 1) & 7;
    } while ((set_ >> last_ & 1) == 0);
    return *slots.at(last_);
  }

 private:
  static uint8_t flag(const T& item) { return static_cast<uint8_t>(1 << item.rank); }

  uint8_t set_ = 0;
  uint8_t last_ = 0;
};

}  // namespace hocket
