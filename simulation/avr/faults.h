// Faults of a sketch, in the words of the report.
#pragma once

#include "simulation/avr/watcher.h"

namespace hocket::avr {

/// Why the run ended: the processor or the watcher cannot continue.
program::Fault fault_of(const Watcher& watcher, const Mcu& mcu);

}  // namespace hocket::avr
