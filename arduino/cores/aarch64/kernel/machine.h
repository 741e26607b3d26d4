// What each AArch64 board supplies besides its constants (boards/<board>/machine.cpp).
#pragma once

#include "kernel/base/types.h"

namespace hocket::machine {

/// Maps what the board has beyond its one range of devices. Null, or what is wrong.
const char* map();

/// Starts another core at hocket_start. False: there is no such core.
bool start_core(CoreId core);

/// Switches the machine off. Returns where it cannot.
void power_off();

}  // namespace hocket::machine
