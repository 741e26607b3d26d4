// Illegal calls of a sketch on the host that simulates it, if the program was started confined
// (simulation/confined): reported as a fault of its loop.
#pragma once

#include "ports/host/faults.h"

namespace hocket::sim {

/// Starts watching, if the program is confined. Call when the start is over and before the sketch
/// runs.
void watch_for_attempts();

/// "tried to open a file of this computer: /home/…". Valid for the rest of the run.
const char* words_of_attempt(const host::RefusedCall& call);

}  // namespace hocket::sim
