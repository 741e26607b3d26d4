// The kernel's event log on the simulated board: a binary file (docs/reference/event-log.md).
#pragma once

#include <string>

#include "simulation/program/log_file.h"

namespace hocket::sim {

/// Starts the log; false when the file cannot be written. Without this call events are dropped.
bool open_event_log(const std::string& file, unsigned cores);
/// Who hears of each event from now on, file or not; null: nobody.
void listen_to_events(program::EventListener* listener);
/// What hears of each event besides, from now on, in every run; null: nothing.
void watch_events(program::EventListener* watch);
/// Ends the log; false when something could not be written.
bool close_event_log();

}  // namespace hocket::sim
