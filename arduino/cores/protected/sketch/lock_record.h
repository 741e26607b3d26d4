// A sketch's thread claims its spinlocks in a record around its thread pointer. The thread writes
// the record and the kernel reads it.
//
//     [ outer locks, longest hold ] │ [ held, raised, since ] │ thread-local variables
//                                   ▲ the thread pointer, as the kernel set it
//
// A thread takes a free lock by itself, after it has claimed it in `held`. The kernel reads the
// claim only when it is about to preempt the thread. It then lets the thread go on, above all
// loops, for as long as the board allows (Board::kLongestSpin). `raised` tells the thread to report
// when it has released the lock. A thread with a false claim harms the threads that share a lock
// with it, and delays others by no more than that time: it goes on only once, until it reports.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arduino/runtime/spinlock_words.h"

namespace hocket::sketch {

struct LockRecord {
  static constexpr unsigned kMostHeld = runtime::spinlock::kMostHeld;
  static constexpr uint32_t kInner = 1;  // no lock has an odd address
  /// In `since`: the thread waits for the innermost lock, with the ticket in the lower half. (The
  /// counter never reaches this bit.)
  static constexpr uint64_t kWaits = uint64_t{1} << 63;
  static constexpr bool waits(uint64_t since) { return (since & kWaits) != 0; }
  struct Lock {
    uint64_t word;   // address of the lock
    uint64_t since;  // counter ticks
  };

  Lock outer[kMostHeld - 1];  // its further locks, outermost first
  uint64_t outer_count;
  uint64_t longest;  // longest hold, in ticks
  // --- the thread pointer points here: an ABI leaves no more than two words there ---
  uint32_t held;  // address of the lock that it holds, takes or gives back, the innermost; 0: none
                  // (kInner: it holds others besides)
  uint32_t raised;  // written by the kernel
  uint64_t since;
};
inline constexpr size_t kLockRecordBelow = offsetof(LockRecord, held);
static_assert(kLockRecordBelow % 16 == 0, "the stack begins there");
static_assert(sizeof(LockRecord) == kLockRecordBelow + 16);

}  // namespace hocket::sketch
