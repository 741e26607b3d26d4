// Who drove what in a run, for the report: as JSON, and as hints at the commonest wrong wires.
#pragma once

#include <string>
#include <vector>

#include "simulation/devices/devices.h"
#include "simulation/program/json.h"

namespace hocket::program {

Json wiring_json(const sim::WiringFacts& facts);

/// Sentences for the user: of parts that nobody drove, of buttons that nothing pulls up.
std::vector<std::string> wiring_notices(const sim::WiringFacts& facts);

}  // namespace hocket::program
