// The other world: an operating system at EL1 of the non-secure state, which has each core while
// the kernel has nothing for it. It starts and stops its cores by PSCI.
//
//   idle thread of a core ── hocket_wait() ──▶ EL1 of the other world ── FIQ ──▶ the kernel
//                                  ▲                    │ SMC
//                                  └── stops ── PSCI ◀──┘
//
// Invariants
// - The idle thread runs it, and nobody else: its general registers lie in a frame on that thread's
//   stack whenever the kernel runs.
// - Nothing that it asks for is waited for by the kernel, and no call of it takes long: interrupts
//   stay unmasked in all of them.
// - What it asks ends or disturbs no loop: switched off, it is off; a reset starts it again. Every
//   argument comes from somebody who may mean harm.
//
// Source: Arm Power State Coordination Interface (DEN0022), chapter 5; SMC Calling Convention
// (DEN0028), chapter 5 and 7.
#pragma once

#include <stdint.h>

namespace hocket::aarch64::normal_world {

enum class State : uint32_t {
  Absent,      // there is none
  Running,     // on one core at least
  Off,         // it has switched itself off, or cannot be started again
  Restarting,  // its cores stop; core 0 puts its programs back
};

/// Where it begins: physical addresses; `argument` is in X0 (the device tree's). Memory that is its
/// own: [memory_begin, memory_end).
struct Start {
  uint64_t entry;
  uint64_t argument;
  uint64_t memory_begin, memory_end;
  unsigned cores;  // it may have 0 … cores - 1
  /// Puts its programs back into its memory; false: that cannot be done. Core 0, masked, all of its
  /// cores stopped.
  bool (*restore)();
};

/// It runs from the next time on that core 0 has nothing to do. Core 0, once.
void begin(const Start& start);

/// Context: any.
State state();
/// How often it was started again.
unsigned restarts();
/// Ticks for which a core slept, since neither the kernel nor the other world had work for it.
int64_t slept(unsigned core);
/// How many of its cores are on.
unsigned cores_on();

}  // namespace hocket::aarch64::normal_world
