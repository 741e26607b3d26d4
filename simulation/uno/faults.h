// What went wrong with a sketch, in the words of the report.
#pragma once

#include "simulation/uno/watcher.h"

namespace hocket::uno {

/// Why the run ended: the processor, or what the watcher saw, cannot go on.
program::Fault fault_of(const Watcher& watcher, const Mcu& mcu);

}  // namespace hocket::uno
