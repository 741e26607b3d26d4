// Four-slot channel: the reader always gets the writer's newest whole item, and neither side waits.
//
// Source: H. R. Simpson, "Four-slot fully asynchronous communication mechanism", IEE Proceedings E
// 137(1), 1990.
//
// Invariants
// - read() and write() finish in a fixed number of steps whatever the other side does (wait-free).
// - Coherent: the two sides are never in the same slot at the same time, so no item is ever torn.
// - Fresh: a read returns the newest item whose write had completed when the read began, or a
//   newer.
// - Ordered: no read returns an item older than the read before it did. Items may be skipped or
//   seen twice.
//
//     data_  pair 0  [   ][ x ]     slot_[p]  index of pair p's newest item   stored by the writer
//            pair 1  [ x ][   ]     latest_   the pair written last           stored by the writer
//            index     0    1       reading_  the pair the reader goes to     stored by the reader
//
//     write                              read
//     W1  pair  = not reading_           R1  pair = latest_
//     W2  index = not slot_[pair]        R2  reading_ = pair
//     W3  data_[pair][index] = item      R3  index = slot_[pair]
//     W4  slot_[pair] = index            R4  item = data_[pair][index]
//     W5  latest_ = pair
//
// The writer avoids the pair the reader has announced; if it missed the announcement, it avoids the
// index that the reader will find there. One of the two must take effect, so on both sides the
// store must come before the load, and release and acquire do not give that:
//
//     reader   R2 store reading_   before   R3 load slot_
//     writer   W4 store slot_      before   W1 load reading_, of its next write
//
// Without it in the reader, R3 may take an old index while the announcement still waits in the
// core's store buffer. Without it in the writer, the next W1 misses the announcement while W4 still
// waits in the writer's buffer, and W3 then fills the very slot that the reader takes from the old
// index. So the control variables are sequentially consistent. On AArch64 these are the `stlr` and
// `ldar` that release and acquire compile to as well; no fence is added.
//
// The items are ordinary memory, and accesses to them do not race. Of two accesses to one slot,
// either the reader took the index from that W4 or a later one, and W3 happens before R4; or the
// writer saw a later R2, and R4 happens before W3. Proof:
// `docs/decisions/four-slot-memory-order.md`; model with store buffers: `tests/spin/four_slot.pml`.
//
// One writer and one reader. Two writers at once, or two readers, can meet in a slot and tear
// items: give each pair of loops its own channel, or hold a spinlock around the side that is
// shared. One loop may be both the writer and the reader.
#pragma once

#include <stdint.h>

#include "kernel/base/atomic.h"

namespace hocket {

/// Newest-value channel for items of T. Holds a value-initialised T (zero) until the first write.
template <typename T>
class FourSlot {
 public:
  static_assert(
      __is_trivially_copyable(T),
      "an item of a channel must be trivially copyable: numbers, enumerations and structs of them");
  static_assert(__is_assignable(T&, const T&),
                "an item of a channel must be assignable (no const members)");

  constexpr FourSlot() = default;
  FourSlot(const FourSlot&) = delete;
  FourSlot& operator=(const FourSlot&) = delete;

  /// Makes `item` the newest item.
  /// Context: the one writer, anywhere, interrupt handlers included. Never blocks.
  /// Bound: one copy of the item and four byte accesses.
  void write(const T& item) {
    const uint8_t pair = reading_.load(order::sequential) ^ 1u;
    const uint8_t index = slot_[pair].load(order::relaxed) ^ 1u;  // only the writer stores slot_
    data_[pair][index] = item;
    slot_[pair].store(index, order::sequential);
    latest_.store(pair, order::sequential);
  }

  /// Returns the newest item.
  /// Context: the one reader, anywhere, interrupt handlers included. Never blocks.
  /// Bound: one copy of the item and three byte accesses.
  T read() {
    const uint8_t pair = latest_.load(order::sequential);
    reading_.store(pair, order::sequential);
    const uint8_t index = slot_[pair].load(order::sequential);
    return data_[pair][index];
  }

 private:
  T data_[2][2] = {};
  Atomic<uint8_t> slot_[2];
  Atomic<uint8_t> latest_;
  Atomic<uint8_t> reading_;
};

}  // namespace hocket
