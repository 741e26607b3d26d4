// The entities that take turns in idle time: each gets a turn before any gets a second one.
//
// It is a list in which the first entity has waited longest. For a few entities in slots on a small
// processor, it is a set of bits and the slot that had the last turn.
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/list.h"

namespace hocket {

template <class T, bool kFew>
class Turns {
 public:
  using Node = ListNode<T>;  // base class of T

  bool empty() const { return list_.empty(); }
  void push_back(T& item) { list_.push_back(item); }
  static void remove(T& item) { List<T>::remove(item); }
  /// Returns the next entity, which stays in the list.
  template <class Slots>
  T& next(const Slots&) {
    T& item = list_.pop_front();
    list_.push_back(item);
    return item;
  }

 private:
  List<T> list_;
};

/// `T` has a `rank` below 8. slots.at(rank) returns the entity.
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
