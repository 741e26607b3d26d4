// What a bare test program has: the core, the virtual timer, and lines on the host's console.
//
// Invariants: a program defines bare::run() for core 0 and, where it wants them, the handlers fiq()
// and irq() and run_other() for further cores. It ends with bare::finish(); an exception nobody
// expects ends it with status 2 and says where.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "drivers/semihosting/semihosting.h"
#include "kernel/base/types.h"

namespace bare {

using hocket::CoreId;
using hocket::drivers::Semihosting;

// --- Supplied by the program ---
void run();
void run_other(CoreId core);
void fiq();
void irq();

// --- The core ---
inline CoreId core() {
  uint64_t mpidr;
  asm("mrs %0, mpidr_el1" : "=r"(mpidr));
  return static_cast<CoreId>(mpidr & 3);
}
inline void allow_fiq() {
  asm volatile("msr daifclr, #1\n\tisb" ::: "memory");
}
inline void mask_fiq() {
  asm volatile("msr daifset, #1\n\tisb" ::: "memory");
}
inline void allow_irq() {
  asm volatile("msr daifclr, #2\n\tisb" ::: "memory");
}
inline void mask_irq() {
  asm volatile("msr daifset, #2\n\tisb" ::: "memory");
}
/// Sleeps until an interrupt is pending, masked or not.
inline void wait_for_interrupt() {
  asm volatile("wfi" ::: "memory");
}
/// Lets interrupts in, as far as they are not masked now, until the condition holds. It is looked
/// at masked: an interrupt between looking and sleeping wakes the core all the same.
template <class Condition>
void wait_until(Condition condition) {
  uint64_t masks;
  asm volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(masks)::"memory");
  while (!condition()) {
    wait_for_interrupt();
    asm volatile("msr daif, %0\n\tisb\n\tmsr daifset, #3" ::"r"(masks) : "memory");
  }
  asm volatile("msr daif, %0\n\tisb" ::"r"(masks) : "memory");
}

// --- The EL1 virtual timer ---
[[gnu::always_inline]] inline uint64_t now() {
  uint64_t count;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count)::"memory");
  return count;
}
inline void timer_at(uint64_t instant) {
  asm volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1\n\tisb" ::"r"(instant), "r"(1ul));
}
inline void timer_off() {
  asm volatile("msr cntv_ctl_el0, xzr\n\tisb");
}
/// Lets `ticks` pass, asleep between interrupts where there are any.
inline void pass(uint64_t ticks) {
  const uint64_t end = now() + ticks;
  while (now() < end) asm volatile("yield");
}

// --- The console of the host ---
inline void print(const char* text) {
  Semihosting::print(text);
}
inline void print(uint64_t number) {
  char digits[21];
  char* first = digits + 20;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  Semihosting::print(first);
}
template <class... Parts>
inline void line(Parts... parts) {
  (print(parts), ...);
  print("\n");
}

/// Ends the program and the emulator.
[[noreturn]] inline void finish(uint32_t status) {
  for (;;) Semihosting::exit(status);
}

/// One line of the transcript: `ok what` or `FAIL what`, which ends the program.
inline void expect(bool good, const char* what) {
  line(good ? "ok " : "FAIL ", what);
  if (!good) finish(1);
}

}  // namespace bare
