// The two worlds' registers of EL1 on each core: whose they are, and how they change hands.
//
// SCR_EL3.NS says it. They become the sketch's when a switch of threads enters a domain (port.h),
// and the other world's on the way back to it (vectors.S): an interrupt that only runs a handler,
// and a thread of the kernel alone, change nothing.
//
// Context of all: the calling core, masked. None blocks.
#pragma once

#include <stdint.h>

namespace hocket::aarch64::worlds {

/// What both use, in the order of worlds.S.
struct Registers {
  uint64_t sctlr, tcr, ttbr0, ttbr1, mair, vbar, cpacr, cntkctl, mdscr, pmuserenr, tpidr_el0,
      tpidrro_el0, esr, far, elr, spsr;
};

/// The other world's are in EL1's registers.
bool normal_is_here();

/// Keeps the other world's in `registers`, if they are here; the secure world's are, then, with
/// nothing mapped in the lower half.
void take_from_normal(Registers& registers);

/// The other world's are here; what the secure world's were need not be kept. Its next loop enters
/// its domain anew.
void give_to_normal(const Registers& registers);

/// The calling core's, while they are not here (normal_world.cpp).
Registers& kept();

}  // namespace hocket::aarch64::worlds
