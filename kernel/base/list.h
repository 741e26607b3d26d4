// Intrusive doubly linked list: the node lives in the object, so membership never allocates.
//
// A node is in at most one list. Every operation is O(1) apart from ordered insertion, which is
// O(n).
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class T>
class List;
template <class T>
class Ring;

/// Base class of what can be in a List.
template <class T>
class ListNode {
 public:
  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;
#ifdef HOCKET_CHECKED
  bool linked() const { return next_ != nullptr; }
#endif

 private:
  friend class List<T>;
  friend class Ring<T>;
  ListNode* next_ = nullptr;
  ListNode* previous_ = nullptr;
};

/// Circular list with a sentinel: the empty list points to itself, so no operation has a special
/// case.
template <class T>
class List {
 public:
  constexpr List() { head_.next_ = head_.previous_ = &head_; }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  bool empty() const { return head_.next_ == &head_; }
  /// First element; the list must not be empty.
  T& front() {
    HOCKET_CHECK(!empty());
    return *static_cast<T*>(head_.next_);
  }
  void push_back(T& item) { link_before(head_, item); }

  T& pop_front() {
    T& item = front();
    remove(item);
    return item;
  }

  static void remove(T& item) {
    ListNode<T>& node = item;
    HOCKET_CHECK(node.linked());
    node.previous_->next_ = node.next_;
    node.next_->previous_ = node.previous_;
#ifdef HOCKET_CHECKED
    node.next_ = node.previous_ = nullptr;
#endif
  }

  /// Inserts behind every element that is not later than `item` (stable order).
  template <class Earlier>
  void insert_ordered(T& item, Earlier earlier) {
    ListNode<T>* position = head_.previous_;
    while (position != &head_ && earlier(item, *static_cast<T*>(position))) {
      position = position->previous_;
    }
    link_before(*position->next_, item);
  }

 private:
  static void link_before(ListNode<T>& position, T& item) {
    ListNode<T>& node = item;
    HOCKET_CHECK(!node.linked());
    node.next_ = &position;
    node.previous_ = position.previous_;
    position.previous_->next_ = &node;
    position.previous_ = &node;
  }

  ListNode<T> head_;
};

}  // namespace hocket
