// Ringbuf: a queue of up to N items from one loop to another. Neither side waits.
//
//   Ringbuf<int, 100> samples;                  Ringbuf samples; holds 64 numbers of type int
//   if (!ringbufWrite(samples, x)) ++lost;      false: full, the item was not taken
//   while (ringbufRead(samples, x)) use(x);     false: empty, x is unchanged
//
// One loop writes and one loop reads. Every item that was taken is read once, whole, in order.
// (Table II of the Qduino paper.)
#pragma once

#include "kernel/task/ring_buffer.h"

template <typename T = int, size_t N = 64>
class Ringbuf {
 public:
  constexpr Ringbuf() = default;

  /// Never block. Context: the one writing loop, the one reading loop.
  bool write(const T& item) { return items_.write(item); }
  bool read(T& item) { return items_.read(item); }
  /// The number of items, as seen by the calling side. Context: the writing or the reading loop.
  size_t size() const { return items_.size(); }

  /// Empties the buffer and limits it to `size` items. Returns false, and changes nothing, unless
  /// `size` is from 1 to N. Context: setup(), before the loops use the buffer.
  bool init(size_t size) {
    if (!items_.limit(size)) return false;
    items_.clear();
    return true;
  }

 private:
  hocket::RingBuffer<T, N> items_;
};

template <typename T, size_t N>
inline bool ringbufInit(Ringbuf<T, N>& buffer, size_t size = N) {
  return buffer.init(size);
}
template <typename T, size_t N, typename Item>
inline bool ringbufWrite(Ringbuf<T, N>& buffer, const Item& item) {
  return buffer.write(static_cast<T>(item));
}
template <typename T, size_t N>
inline bool ringbufRead(Ringbuf<T, N>& buffer, T& item) {
  return buffer.read(item);
}

template <typename T, size_t N>
inline bool ringbufInit(Ringbuf<T, N>* buffer, size_t size = N) {
  return ringbufInit(*buffer, size);
}
template <typename T, size_t N, typename Item>
inline bool ringbufWrite(Ringbuf<T, N>* buffer, const Item& item) {
  return ringbufWrite(*buffer, item);
}
template <typename T, size_t N>
inline bool ringbufRead(Ringbuf<T, N>* buffer, T* item) {
  return ringbufRead(*buffer, *item);
}
