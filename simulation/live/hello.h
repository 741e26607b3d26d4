// The description of a board before it runs: its pins, parts and loops.
#pragma once

#include <string>
#include <vector>

#include "simulation/devices/touch.h"
#include "simulation/program/facts.h"

namespace hocket::live {

/// One line of JSON (docs/reference/lab-protocol.md).
std::string hello(const program::RunFacts& facts, sim::Nanos duration, const sim::Devices& devices,
                  const std::vector<sim::PartView>& parts, const char* state);

}  // namespace hocket::live
