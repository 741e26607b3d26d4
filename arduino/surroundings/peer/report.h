// What the kernel reports to the world at the end of a run (simulation/peer/protocol.h, facts).
#pragma once

#include "board_kernel.h"

namespace hocket::report {

/// Sends all facts. Only when nothing runs any more. `end`: the instant at which the run ended.
void send(System::Instant end, unsigned cores, bool accepted);

/// Sends a sentence for the user.
void notice(const char* text);

}  // namespace hocket::report
