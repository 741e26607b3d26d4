// What a sketch tries on the computer that simulates it, when the program has been started confined
// (simulation/confined): a fault of its loop, in words.
#pragma once

#include "ports/host/faults.h"

namespace hocket::sim {

/// From here on, if the program is confined: the start is over, the sketch comes.
void watch_for_attempts();

/// "tried to open a file of this computer: /home/…". Stays for the rest of the run.
const char* words_of_attempt(const host::RefusedCall& call);

}  // namespace hocket::sim
