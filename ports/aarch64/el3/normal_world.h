// The other world: an operating system at EL1 of the non-secure state, which runs on each core
// while the kernel has nothing for it. It starts and stops its cores by PSCI.
//
//   idle thread of a core ── hocket_wait() ──▶ EL1 of the other world ── FIQ ──▶ the kernel
//                                  ▲                    │ SMC
//                                  └── stops ── PSCI ◀──┘
//
// Invariants
// - Only the idle thread runs it. Its general registers are in a frame on that thread's stack
//   whenever the kernel runs.
// - The kernel never waits for what it requests, and none of its calls takes long: interrupts stay
//   unmasked in all of them.
// - Its requests neither end nor disturb a loop. Switched off, it is off; a reset starts it again.
//   Every argument must be treated as hostile.
//
// Source: Arm Power State Coordination Interface (DEN0022), chapter 5; SMC Calling Convention
// (DEN0028), chapter 5 and 7.
#pragma once

#include <stdint.h>

namespace hocket::aarch64::normal_world {

enum class State : uint32_t {
  Absent,      // it does not exist
  Running,     // on at least one core
  Off,         // switched off by itself, or impossible to restart
  Restarting,  // its cores stop, and core 0 restores its programs
};

/// How it begins: physical addresses. `argument` is passed in X0 (the address of the device tree).
/// Its own memory is [memory_begin, memory_end).
struct Start {
  uint64_t entry;
  uint64_t argument;
  uint64_t memory_begin, memory_end;
  unsigned cores;  // the cores that it may use: 0 to cores - 1
  /// Restores its programs in its memory. Returns false if that is impossible. Core 0, masked, with
  /// all of its cores stopped.
  bool (*restore)();
};

/// Starts it. It runs when core 0 next has nothing to do. Core 0, once.
void begin(const Start& start);

/// Context: any.
State state();
/// How often it was restarted.
unsigned restarts();
/// Ticks for which a core slept, because neither the kernel nor the other world had work for it.
int64_t slept(unsigned core);
/// The number of its cores that are on.
unsigned cores_on();

}  // namespace hocket::aarch64::normal_world
