// The kernel's event log on the simulated board: a binary file (docs/reference/event-log.md).
#pragma once

#include <string>

namespace hocket::sim {

/// Starts the log; false when the file cannot be written. Without this call events are dropped.
bool open_event_log(const std::string& file, unsigned cores);
/// Ends the log; false when something could not be written.
bool close_event_log();

}  // namespace hocket::sim
