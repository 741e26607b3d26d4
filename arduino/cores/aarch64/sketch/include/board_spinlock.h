// The fast path of spinlocks: takes and releases a free lock in the sketch itself, without a system
// call.
//
// The functions of arduino/cores/protected/sketch/spinlock.cpp handle all other cases: another lock
// is held, the lock is not free, the kernel wants to be told, the hold was the longest so far, an
// error.
#pragma once

#include <stdint.h>

namespace hocket::sketch {

void spin_lock_nested(uint32_t* lock);
void spin_lock_wait(uint32_t* lock, uint32_t before);
void spin_unlock_slowly(uint32_t* lock);
void spin_lock_is_free();

/// First the record says that the lock is held (lock_record.h), then a ticket is drawn. An
/// interrupt between the two therefore sees a claim too many, never one too few. SAFETY: thread
/// pointer and lock are addresses of the sketch; an invalid lock address faults here.
[[gnu::always_inline]] inline void spin_lock(uint32_t* lock) {
  uint32_t before;
  asm volatile goto(
      "ldr   %w0, [%1]\n\t"  // held
      "cbnz  %w0, %l[nested]\n\t"
      "mrs   %0, cntvct_el0\n\t"
      "stp   %2, %0, [%1]\n\t"  // held, not raised, since
      "1:\n\t"
      "ldaxr %w0, [%2]\n\t"
      "add   w9, %w0, #0x10, lsl #12\n\t"  // a ticket (kernel/task/ticket_lock.h)
      "stxr  w10, w9, [%2]\n\t"
      "cbnz  w10, 1b\n\t"
      "eor   w9, %w0, %w0, ror #16\n\t"  // 0: it is being served
      "cbnz  w9, %l[taken]"
      : "=&r"(before)
      : "r"(__builtin_thread_pointer()), "r"(lock)
      : "x9", "x10", "memory"
      : nested, taken);
  return;
nested:
  spin_lock_nested(lock);
  return;
taken:
  spin_lock_wait(lock, before);
}

/// The store at the end fails if the kernel has run since the load at the beginning (an exception
/// return clears the monitor). So a value that the kernel has written into `raised` is not lost.
[[gnu::always_inline]] inline void spin_unlock(uint32_t* lock) {
  asm volatile goto(
      "ldxr  x9, [%0]\n\t"  // held and raised
      "cmp   x9, %1\n\t"
      "b.ne  %l[slowly]\n\t"
      "mrs   x9, cntvct_el0\n\t"
      "ldr   x10, [%0, #8]\n\t"  // since
      "sub   x9, x9, x10\n\t"
      "ldr   x10, [%0, #-8]\n\t"  // longest
      "cmp   x9, x10\n\t"
      "b.hi  %l[slowly]\n\t"
      "ldrh  w9, [%1]\n\t"  // only the holder changes the ticket being served
      "add   w9, w9, #1\n\t"
      "stlrh w9, [%1]\n\t"
      "stxr  w9, xzr, [%0]\n\t"
      "cbnz  w9, %l[interrupted]"
      :
      : "r"(__builtin_thread_pointer()), "r"(lock)
      : "x9", "x10", "cc", "memory"
      : slowly, interrupted);
  return;
slowly:
  spin_unlock_slowly(lock);
  return;
interrupted:
  spin_lock_is_free();
}

}  // namespace hocket::sketch
