// Channel: the newest value, from one loop to another, and neither waits (Simpson's four slots).
//
//   Channel<int> distance;                      Channel distance; is the same: int is the default
//   channelWrite(distance, 42);                 in the loop that writes
//   int cm = channelRead(distance);             in the loop that reads; 0 before the first write
//
// One loop writes and one loop reads. Items are numbers, enumerations and structs of them, and are
// always read whole. A new value replaces one that was not read yet (for a queue, see Ringbuf).
// (Table II of the Qduino paper.)
#pragma once

#include "kernel/task/four_slot.h"

template <typename T = int>
class Channel {
 public:
  constexpr Channel() = default;

  /// Never block. Context: the one writing loop, the one reading loop.
  void write(const T& item) { slots_.write(item); }
  T read() { return slots_.read(); }

 private:
  hocket::FourSlot<T> slots_;
};

/// Converts `item` as an assignment to a T would.
template <typename T, typename Item>
inline void channelWrite(Channel<T>& channel, const Item& item) {
  channel.write(static_cast<T>(item));
}
template <typename T>
inline T channelRead(Channel<T>& channel) {
  return channel.read();
}

template <typename T, typename Item>
inline void channelWrite(Channel<T>* channel, const Item& item) {
  channelWrite(*channel, item);
}
template <typename T>
inline T channelRead(Channel<T>* channel) {
  return channelRead(*channel);
}
