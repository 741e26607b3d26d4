// Another system beside the kernel, in kernels that support one (beside.cpp of the processor; all
// others: alone.cpp).
#pragma once

#include "simulation/peer/protocol.h"

namespace hocket::other_system {

/// Starts it as the command line says. On core 0, before the first thread runs. After a restart of
/// the sketch it continues instead. Returns null, or what is wrong.
const char* begin();

/// Reports what it has done on `cores` cores; false: there is none. Only when nothing runs any
/// more.
bool tell(world::BesideFacts& facts, unsigned cores);

}  // namespace hocket::other_system
