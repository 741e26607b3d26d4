// Another system beside the kernel, where the kernel is one for that (at EL3: beside.cpp; all
// others: alone.cpp).
#pragma once

#include "simulation/peer/protocol.h"

namespace hocket::other_system {

/// It begins as the command line says. Core 0, before the first thread runs; when the sketch begins
/// again it goes on instead. Null, or what is wrong.
const char* begin();

/// What it did until now, on so many cores; false: there is none. Nothing runs any more.
bool tell(world::BesideFacts& facts, unsigned cores);

}  // namespace hocket::other_system
