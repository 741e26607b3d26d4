// The sketch that is linked with the kernel, as main.cpp runs it. main.cpp includes none of the
// kernel's templates, so it is not compiled again after each change of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/machine/set_loops.h"
#include "simulation/program/call_watch.h"

namespace hocket::sim {

/// Loads it, with these loops changed. Throws UsageError when it cannot run on this board.
void load_linked_sketch(const std::vector<SetLoop>& set_loops);
/// Whether admission accepts its loops on so many cores.
bool admit_linked_sketch(unsigned cores);
/// Before the run: gives the loops their stacks, and the policy its seed. Throws UsageError.
void prepare_linked_sketch(uint64_t seed);

/// The first function of each core.
void boot_core(void* core);
/// After the run: closes the accounts of the cores and loops.
void close_accounts(unsigned cores, Nanos end);
/// Whether setup() has not returned.
bool in_setup();

/// The loops whose calls are watched. Loops in two parts, which run on two cores, are left out, and
/// so are loops that get a core during the run.
std::vector<program::CallWatch::Member> watched_loops();
/// When the present or next call of a thread's loop is released.
Nanos release_of(uint16_t thread);

}  // namespace hocket::sim
