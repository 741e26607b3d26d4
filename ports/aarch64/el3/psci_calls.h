// The calls of the other world by SMC: decoded in psci_calls.cpp, executed in normal_world.cpp.
#pragma once

#include <stdint.h>

#include "ports/aarch64/layout.h"

namespace hocket::aarch64 {

/// A frame of the other world (frame.inc).
struct NormalFrame {
  uint64_t x[18];
  uint64_t x18, x30;
  uint64_t instruction, state;
  uint64_t stack;
  uint64_t priority_mask;
  uint64_t scr;
  uint64_t unused;
};
static_assert(sizeof(NormalFrame) == HOCKET_FRAME_SIZE);
static_assert(__builtin_offsetof(NormalFrame, instruction) == HOCKET_FRAME_ELR);
static_assert(__builtin_offsetof(NormalFrame, stack) == HOCKET_FRAME_SP0);
static_assert(__builtin_offsetof(NormalFrame, priority_mask) == HOCKET_FRAME_PMR);

namespace psci {

/// Return codes (DEN0022, 5.2.2), and those of AFFINITY_INFO (5.7).
inline constexpr int64_t kSuccess = 0, kNotSupported = -1, kInvalidParameters = -2, kAlreadyOn = -4,
                         kOnPending = -5, kInvalidAddress = -9;
inline constexpr int64_t kIsOn = 0, kIsOff = 1, kIsPending = 2;

/// Executes the call in the frame's registers and returns the result for X0. Calls that stop the
/// core do not return. Context: the idle thread, unmasked.
int64_t answer(const NormalFrame& frame);

/// Whether one of the other world's cores has this affinity (its MPIDR without the other bits).
bool knows(uint64_t affinity);
int64_t cpu_on(uint64_t affinity, uint64_t entry, uint64_t argument);
int64_t affinity_info(uint64_t affinity, uint64_t level);
[[noreturn]] void cpu_off();
[[noreturn]] void system_ends(bool begins_again);

}  // namespace psci
}  // namespace hocket::aarch64
