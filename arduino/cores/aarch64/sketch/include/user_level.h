// AArch64: what a sketch does in the processor's own instructions. (Spinlocks: board_spinlock.h;
// counts that loops share: board_sync.h; the image's layout: sketch.ld, address_space.h.)
#pragma once

#include <stdint.h>

/// The body of a naked function that is a system call (arduino/cores/protected/system_calls.h):
/// SVC #0 with the number in x8. By the procedure call standard the arguments already are in x0 to
/// x3, where the kernel expects them, and the result will be in x0. The kernel preserves x19 to
/// x30, the stack pointer and the floating-point registers; x0 to x18 are lost, as in an ordinary
/// call. SAFETY: to the compiler a naked function is an ordinary call, which may change memory and
/// x0 to x18. A naked function cannot declare clobbers.
#define HOCKET_SYSTEM_CALL_(name) \
  asm volatile("mov x8, %0\n\tsvc #0\n\tret" ::"i"(static_cast<unsigned>(SystemCall::name)))

namespace hocket::sketch {

/// The clock's counter: CNTVCT_EL0 (Arm ARM, D13.8.31), which user level reads without a call.
inline uint64_t counter() {
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}
/// The same in program order: without the barrier the processor may read the counter before earlier
/// instructions are done.
inline uint64_t counter_in_order() {
  uint64_t value;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}

/// Passes `turns` times two instructions.
inline void pass_time(uint64_t turns) {
  // Writes only its counter and the flags.
  asm volatile("0:\n\tsubs %0, %0, #1\n\tb.ne 0b" : "+r"(turns)::"cc");
}

/// In a loop that waits for another core. An emulator with several cores runs the others.
inline void relax() {
  asm volatile("yield" ::: "memory");
}

}  // namespace hocket::sketch
