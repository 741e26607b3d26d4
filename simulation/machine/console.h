// What the sketch sends on Serial may end the run: at the instant at which it has left, though the
// devices act only when they are asked. Not instrumented.
#pragma once

#include "simulation/devices/devices.h"
#include "simulation/program/console.h"

namespace hocket::sim {

/// From here on the run, which has these devices, ends no later than what the console says.
void watch_console(const program::Console& console, const Devices& devices, Nanos end);
void forget_console();
/// The run ends here at the latest.
void end_console_at(Nanos end);

/// What waits at a serial port may have changed.
void serial_changed();

/// How far the devices that are watched have come. Safe in a signal handler.
Nanos devices_reached();

}  // namespace hocket::sim
