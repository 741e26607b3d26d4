// The sketch that is linked with the kernel, as main.cpp runs it. main.cpp includes none of the
// kernel's templates, so that it is not recompiled after each change of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/machine/set_loops.h"
#include "simulation/program/call_watch.h"

namespace hocket::sim {

/// Loads the sketch with these loops changed. Throws UsageError if it cannot run on this board.
void load_linked_sketch(const std::vector<SetLoop>& set_loops);
/// Whether admission accepts its loops on `cores` cores.
bool admit_linked_sketch(unsigned cores);
/// After a refusal: lets the loops run all the same. Returns false when some loop cannot run at
/// all.
bool run_linked_sketch_anyway(unsigned cores);
/// Before the run: allocates the loops' stacks and seeds the policy. Throws UsageError.
void prepare_linked_sketch(uint64_t seed);

/// The first function of each core.
void boot_core(void* core);
/// After the run: closes the accounts of the cores and loops.
void close_accounts(unsigned cores, Nanos end);
/// Whether setup() has not returned.
bool in_setup();

/// The loops whose calls are watched. Excludes loops that are split over two cores, and loops that
/// are admitted during the run.
std::vector<program::CallWatch::Member> watched_loops();
/// The release of the thread's present or next call.
Nanos release_of(uint16_t thread);

}  // namespace hocket::sim
