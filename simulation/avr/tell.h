// The observations of a run, as facts of the report.
#pragma once

#include "simulation/avr/watcher.h"

namespace hocket::avr {

/// At the end of a run. `facts` has the loops in order, as admission left them.
void tell_facts(Watcher& watcher, const Mcu& mcu, const uno::Declared& declared,
                program::RunFacts& facts);

}  // namespace hocket::avr
