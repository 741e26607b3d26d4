// The sketch begins anew: the kernel too, with everything but its records as at the first start.
//
//   the core that asks   interrupts the others, and does as they do
//   core 0               waits until the others are parked, goes back to the coarse map and to
//                        hocket_warm_start: variables get their first values, tables and memory
//                        are made anew
//   the others           go back to the coarse map and wait for core 0 as at boot
//
// The clock goes on, and so do the devices. Cores that the run does not use are never disturbed:
// they sleep at addresses that stay.
#pragma once

#include "kernel/base/atomic.h"
#include "kernel/base/types.h"

namespace hocket::restart {

/// Asks for one, and counts it, unless the run ends already or another core has asked; takes part
/// in what is under way. From any core, no lock held.
[[noreturn]] void begin(Atomic<uint32_t>& count);

/// Takes part in a restart (stopping.h). Masked, no lock held.
[[noreturn]] void leave();

/// This boot is a restart. Core 0.
bool is_one();

/// Lets a core go on that is parked, to where it went at boot. False: it is not parked. Core 0.
bool let_go(CoreId core);

/// The calling core sleeps for good, through all restarts: the run does not use it. Masked.
[[noreturn]] void sleep_for_good();

}  // namespace hocket::restart
