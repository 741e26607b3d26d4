// A restart of the sketch. The kernel restarts too; except for its records, everything is as at the
// first start.
//
//   the requesting core   interrupts the others, then does what its role below says
//   core 0                waits until the others are parked, returns to the coarse map and to
//                         hocket_warm_start: variables get their initial values, tables and memory
//                         are rebuilt
//   the others            return to the coarse map and wait for core 0, as at boot
//
// The clock and the devices continue. Cores that the run does not use are not disturbed: they sleep
// at addresses that stay valid.
#pragma once

#include "kernel/base/atomic.h"
#include "kernel/base/types.h"

namespace hocket::restart {

/// Requests a restart and counts it, unless the run already ends or another core has requested one;
/// then takes part in what is under way. From any core, no lock held.
[[noreturn]] void begin(Atomic<uint32_t>& count);

/// Takes part in a restart (stopping.h). Masked, no lock held.
[[noreturn]] void leave();

/// Whether this boot is a restart. On core 0.
bool is_one();

/// Releases a parked core to where it went at boot. Returns false if it is not parked. On core 0.
bool let_go(CoreId core);

/// The calling core, which the run does not use, sleeps for ever, through all restarts. Masked.
[[noreturn]] void sleep_for_good();

}  // namespace hocket::restart
