// What each board with memory protection supplies besides constants (boards/<board>/machine.cpp).
#pragma once

#include "kernel/base/types.h"

namespace hocket::machine {

/// Maps devices outside the board's main device range. Returns null, or what is wrong.
const char* map();

/// Starts another core at hocket_start. Returns false if there is no such core.
bool start_core(CoreId core);

/// Switches the machine off. Returns if the machine cannot do that.
void power_off();

}  // namespace hocket::machine
