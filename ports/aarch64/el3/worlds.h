// The EL1 registers of the two worlds on each core: which world they belong to, and how they
// change.
//
// SCR_EL3.NS selects the world. The registers become the sketch's when a switch of threads enters a
// domain (port.h), and the other world's on the return to it (vectors.S). An interrupt that only
// runs a handler, and a thread that is only in the kernel, change nothing.
//
// Context of all functions: the calling core, masked. None blocks.
#pragma once

#include <stdint.h>

namespace hocket::aarch64::worlds {

/// The registers that both worlds use, in the order of worlds.S.
struct Registers {
  uint64_t sctlr, tcr, ttbr0, ttbr1, mair, vbar, cpacr, cntkctl, mdscr, pmuserenr, tpidr_el0,
      tpidrro_el0, esr, far, elr, spsr;
};

/// Whether EL1's registers are the other world's.
bool normal_is_here();

/// If EL1's registers are the other world's, saves them in `registers` and loads the secure
/// world's, with nothing mapped in the lower half.
void take_from_normal(Registers& registers);

/// Loads the other world's registers. The secure world's need not be saved: its next loop enters
/// its domain again.
void give_to_normal(const Registers& registers);

/// The other world's registers of the calling core, while they are not loaded (normal_world.cpp).
Registers& kept();

}  // namespace hocket::aarch64::worlds
