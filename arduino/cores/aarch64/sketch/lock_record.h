// What a thread of the sketch says about the spinlocks it holds: a record around its thread
// pointer, in memory that it writes and the kernel looks at.
//
//     [ outer locks, longest hold ] │ [ held, raised, since ] │ thread-local variables
//                                   ▲ where TPIDR_EL0 points, as the kernel set it
//
// A thread takes a free lock by itself, after it has said so in `held`. The kernel looks there only
// when it is about to let another thread of this core run instead: then the thread goes on, above
// all loops, for as long as the board allows (Board::kLongestSpin), and `raised` tells it that it
// has to say when it has given the lock back. A thread that lies harms those that share a lock with
// it, and nobody else by more than that time: it is let go on once, until it says that.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket::sketch {

struct LockRecord {
  static constexpr unsigned kMostHeld = 4;
  static constexpr uint32_t kInner = 1;  // no lock has an odd address
  /// In `since`: it waits for the innermost one, with the ticket in the lower half. (The counter
  /// never gets there.)
  static constexpr uint64_t kWaits = uint64_t{1} << 63;
  static constexpr bool waits(uint64_t since) { return (since & kWaits) != 0; }
  struct Lock {
    uint64_t word;   // its address
    uint64_t since;  // ticks of the counter
  };

  Lock outer[kMostHeld - 1];  // that it holds besides, outermost first
  uint64_t outer_count;
  uint64_t longest;  // hold, in ticks
  // --- the thread pointer points here: these two words are all that the AArch64 ABI leaves there
  // ---
  uint32_t held;  // address of the lock that it holds, takes or gives back, the innermost; 0: none
                  // (kInner: it holds others besides)
  uint32_t raised;  // written by the kernel
  uint64_t since;
};
inline constexpr size_t kLockRecordBelow = offsetof(LockRecord, held);
static_assert(kLockRecordBelow % 16 == 0, "the stack begins there");
static_assert(sizeof(LockRecord) == kLockRecordBelow + 16);

}  // namespace hocket::sketch
