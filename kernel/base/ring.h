// Intrusive queue that knows only its last element, which leads to the first one.
//
//      last ─▶ [c] ─▶ [a] ─▶ [b] ─┐         first: a, then b, then c
//               ▲─────────────────┘
//
// Compared with List: the queue and the element need one pointer each, and the first element goes
// to the end by moving one pointer (rotate: two threads that take turns). Elements cannot leave
// from the middle. Every operation is O(1) except ordered insertion, which is O(n). A node is in at
// most one List or Ring.
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/list.h"

namespace hocket {

template <class T>
class Ring {
 public:
  constexpr Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  bool empty() const { return last_ == nullptr; }
  /// First element; the ring must not be empty.
  T& front() {
    HOCKET_CHECK(!empty());
    return *static_cast<T*>(last_->next_);
  }
  /// One element; the ring must not be empty.
  bool single() const { return last_->next_ == last_; }

  void push_back(T& item) {
    if (empty()) return push_first(item);
    Node& node = item;
    HOCKET_CHECK(!node.linked());
    node.next_ = last_->next_;
    last_->next_ = &node;
    last_ = &node;
  }
  /// push_back() for a ring that is known to be empty.
  void push_first(T& item) {
    Node& node = item;
    HOCKET_CHECK(empty() && !node.linked());
    last_ = node.next_ = &node;
  }

  T& pop_front() {
    T& item = front();
    Node& node = item;
    if (last_ == &node) {
      last_ = nullptr;
    } else {
      last_->next_ = node.next_;
    }
#ifdef HOCKET_CHECKED
    node.next_ = nullptr;
#endif
    return item;
  }

  /// Moves the first element to the end. Returns the new first one. The ring must not be empty.
  T& rotate() {
    HOCKET_CHECK(!empty());
    last_ = last_->next_;
    return *static_cast<T*>(last_->next_);
  }

  /// Inserts behind every element that is not later than `item` (stable order).
  template <class Earlier>
  void insert_ordered(T& item, Earlier earlier) {
    if (empty() || !earlier(item, *static_cast<T*>(last_))) return push_back(item);
    Node* before = last_;
    while (!earlier(item, *static_cast<T*>(before->next_))) before = before->next_;
    Node& node = item;
    HOCKET_CHECK(!node.linked());
    node.next_ = before->next_;
    before->next_ = &node;
  }

 private:
  using Node = ListNode<T>;
  Node* last_ = nullptr;
};

}  // namespace hocket
