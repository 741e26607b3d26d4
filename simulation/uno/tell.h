// What was seen of a run, as the report's facts.
#pragma once

#include "simulation/uno/watcher.h"

namespace hocket::uno {

/// At the end of a run. `facts` has the loops in their order, as admission left them.
void tell_facts(Watcher& watcher, const Mcu& mcu, const Declared& declared,
                program::RunFacts& facts);

}  // namespace hocket::uno
