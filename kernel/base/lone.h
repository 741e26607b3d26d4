// A queue that never holds more than one: what Ring and List are where nobody has to wait behind
// another. The same functions, each of them an assignment.
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
