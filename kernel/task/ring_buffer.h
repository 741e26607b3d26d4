// Ring buffer: a queue of up to N items from one writer to one reader; neither waits for the other.
//
// Invariants
// - write() and read() finish in a fixed number of steps whatever the other side does (wait-free);
//   a full or an empty buffer is an answer.
// - Every item accepted by write() is read exactly once, whole, in the order written.
// - `head_` is stored only by the reader, `tail_` only by the writer. Both count 0 … 2N-1 and wrap,
//   so that full (N apart) differs from empty (equal) without giving up an entry, for any N and
//   without a division.
//
//     N = 3     items_   [ 0 ][ 1 ][ 2 ]       position = index < N ? index : index - N
//               index      0    1    2
//                          3    4    5         head_ = 2, tail_ = 4: items at positions 2 and 0
//
// Memory order. The writer fills the entry, then stores `tail_` with release; the reader loads
// `tail_` with acquire, so it sees the entry whole. The reader copies the entry out, then stores
// `head_` with release; the writer loads `head_` with acquire before it uses the entry again, so it
// cannot overwrite an item being copied. Each entry thus passes between the sides with
// happens-before both ways and is itself an ordinary object. No store-load fence is needed: an old
// index only makes a side see less room, or fewer items, than there are
// (`tests/spin/ring_buffer.pml`).
//
// Two writers or two readers at once lose, repeat or tear items: hold a spinlock around that side.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel/base/atomic.h"

namespace hocket {

namespace detail {
template <bool kFirst, typename First, typename Second>
struct Choose {
  using Type = First;
};
template <typename First, typename Second>
struct Choose<false, First, Second> {
  using Type = Second;
};

/// Smallest unsigned type that counts 0 … 2N-1.
template <size_t kCapacity>
using RingIndex =
    typename Choose<(kCapacity <= 0x80), uint8_t,
                    typename Choose<(kCapacity <= 0x8000), uint16_t, uint32_t>::Type>::Type;
}  // namespace detail

/// Queue of at most N items of T. Zero-initialised and ready without a constructor running.
template <typename T, size_t N>
class RingBuffer {
 public:
  using Index = detail::RingIndex<N>;

  static_assert(N >= 1, "a ring buffer holds at least one item");
  static_assert(N <= 0x40000000, "a ring buffer holds at most 2^30 items");
  static_assert(__is_trivially_copyable(T),
                "an item of a ring buffer must be trivially copyable: numbers, enumerations and "
                "structs of them");
  static_assert(__is_assignable(T&, const T&),
                "an item of a ring buffer must be assignable (no const members)");
  static_assert(AtomicAccess<Index>,
                "a ring buffer of more than 128 items needs 16-bit atomic access, which this "
                "processor lacks");

  constexpr RingBuffer() = default;
  RingBuffer(const RingBuffer&) = delete;
  RingBuffer& operator=(const RingBuffer&) = delete;

  /// Appends a copy of `item`; false, with nothing changed, when the buffer is full.
  /// Context: the one writer, anywhere, interrupt handlers included. Never blocks.
  /// Bound: one copy of the item and four index accesses.
  bool write(const T& item) {
    const Index tail = tail_.load(order::relaxed);  // its own
    const Index used = distance(head_.load(order::acquire), tail);
    if (used >= limit()) return false;
    items_[position(tail)] = item;
    tail_.store(next(tail), order::release);
    return true;
  }

  /// Moves the oldest item into `item`; false, with `item` unchanged, when the buffer is empty.
  /// Context: the one reader, anywhere, interrupt handlers included. Never blocks.
  /// Bound: one copy of the item and three index accesses.
  bool read(T& item) {
    const Index head = head_.load(order::relaxed);  // its own
    if (head == tail_.load(order::acquire)) return false;
    item = items_[position(head)];
    head_.store(next(head), order::release);
    return true;
  }

  /// Drops what is in the buffer at the moment of the call. Context: the one reader. Never blocks.
  void clear() { head_.store(tail_.load(order::acquire), order::release); }

  /// Items in the buffer. For the reader, at least this many can be read. For the writer, at most
  /// this many are left. Context: the reader or the writer. For any other caller, the two indices
  /// may be from different moments, and the result is meaningless. Never blocks.
  size_t size() const {
    const Index head = head_.load(order::acquire);
    return distance(head, tail_.load(order::acquire));
  }

  bool empty() const { return size() == 0; }

  /// Lets write() use only `items` of the N entries; false, with nothing changed, unless 1 … N.
  /// Items already in the buffer stay. Context: the writer, or before the buffer is shared.
  /// Never blocks.
  bool limit(size_t items) {
    if (items < 1 || items > N) return false;
    withheld_ = static_cast<Index>(N - items);
    return true;
  }

  /// Items that write() lets into the buffer. Context: the writer.
  size_t limit() const { return N - withheld_; }

  static constexpr size_t capacity() { return N; }

 private:
  static constexpr size_t position(Index index) { return index < N ? index : index - N; }
  static constexpr Index next(Index index) {
    return index == 2 * N - 1 ? Index{0} : static_cast<Index>(index + 1);
  }
  static constexpr Index distance(Index head, Index tail) {
    return static_cast<Index>(tail >= head ? tail - head : 2 * N - head + tail);
  }

  Atomic<Index> head_;  // next index to read
  Atomic<Index> tail_;  // next index to write
  // N minus the limit, so that a fresh buffer is all zeros and takes no room in the image.
  Index withheld_ = 0;
  T items_[N] = {};
};

}  // namespace hocket
