// A queue of CAN frames for use inside a driver, as in ArduinoCore-API 1.5.
//
// Only one loop at a time may use it. Between loops use Ringbuf (Hocket.h), which needs no lock.
#pragma once

#include <stddef.h>

#include "CanMsg.h"

class CanMsgRingbuffer {
 public:
  static constexpr size_t RING_BUFFER_SIZE = 32;

  bool isFull() const { return count_ == RING_BUFFER_SIZE; }
  bool isEmpty() const { return count_ == 0; }
  size_t available() const { return count_; }

  /// A frame is dropped when the queue is full.
  void enqueue(const CanMsg& msg) {
    if (isFull()) return;
    frames_[(first_ + count_) % RING_BUFFER_SIZE] = msg;
    ++count_;
  }
  /// The oldest frame; an empty one when there is none.
  CanMsg dequeue() {
    if (isEmpty()) return CanMsg();
    const CanMsg& oldest = frames_[first_];
    first_ = (first_ + 1) % RING_BUFFER_SIZE;
    --count_;
    return oldest;
  }

 private:
  CanMsg frames_[RING_BUFFER_SIZE];
  size_t first_ = 0, count_ = 0;
};

namespace arduino {
using ::CanMsgRingbuffer;
}  // namespace arduino
