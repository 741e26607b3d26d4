// Ends the run when certain output of Serial has been sent, although the devices advance only on
// request. Not instrumented.
#pragma once

#include "simulation/devices/devices.h"
#include "simulation/program/console.h"

namespace hocket::sim {

/// From here on the run with these devices ends at the latest when the console says so.
void watch_console(const program::Console& console, const Devices& devices, Nanos end);
void forget_console();
/// Ends the run at this instant at the latest.
void end_console_at(Nanos end);

/// Call when the bytes waiting at a serial port may have changed.
void serial_changed();

/// The instant up to which the watched devices are simulated. Safe in a signal handler.
Nanos devices_reached();

}  // namespace hocket::sim
