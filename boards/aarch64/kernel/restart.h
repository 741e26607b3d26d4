// The sketch begins anew: the kernel too, with everything but its records as at the first start.
//
//   the core that asks          kicks the others, waits until they are parked, wakes core 0 if it
//   is
//                               not core 0 itself
//   core 0                      goes back to the coarse map and to hocket_warm_start: variables get
//                               their first values, tables and memory are made anew
//   the others                  go back to the coarse map and wait for core 0 as at boot
//
// The clock goes on, and so do the devices.
#pragma once

#include "kernel/base/types.h"

namespace hocket::restart {

/// From any core, no lock held. Never returns.
[[noreturn]] void begin();

/// First thing in a kick's handler: a core that is asked to park never comes back from here.
void on_kick();

/// Lets a core go on that is parked, to where it went at boot. False: it is not parked.
bool let_go(CoreId core);

}  // namespace hocket::restart
