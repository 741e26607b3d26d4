// A queue of at most one element. It has the functions of Ring and List, and each is one
// assignment. For systems in which each virtual CPU has only one thread.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T>
class Lone {
 public:
  bool empty() const { return item_ == nullptr; }
  T& front() const { return *item_; }
  bool single() const { return true; }
  void push_back(T& item) {
    HOCKET_CHECK(empty());
    item_ = &item;
  }
  void push_first(T& item) { push_back(item); }
  template <class Earlier>
  void insert_ordered(T& item, Earlier) {
    push_back(item);
  }
  T& pop_front() {
    T& item = front();
    item_ = nullptr;
    return item;
  }
  T& rotate() { return front(); }
  void remove(T&) { item_ = nullptr; }

 private:
  T* item_ = nullptr;
};

}  // namespace hocket
