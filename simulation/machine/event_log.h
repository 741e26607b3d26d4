// The kernel's event log on the simulated board: a binary file (docs/reference/event-log.md).
#pragma once

#include <string>

#include "simulation/program/log_file.h"

namespace hocket::sim {

/// Opens the log. Returns false if the file cannot be written. Without this call events are
/// dropped.
bool open_event_log(const std::string& file, unsigned cores);
/// Sets the listener from now on, with or without a file; null: none.
void listen_to_events(program::EventListener* listener);
/// Sets a second listener, in every run; null: none.
void watch_events(program::EventListener* watch);
/// Closes the log. Returns false if something could not be written.
bool close_event_log();

}  // namespace hocket::sim
