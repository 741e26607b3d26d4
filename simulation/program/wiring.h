// What drove which pins in a run, for the report: as JSON, and as hints at common wiring errors.
#pragma once

#include <string>
#include <vector>

#include "simulation/devices/devices.h"
#include "simulation/program/json.h"

namespace hocket::program {

Json wiring_json(const sim::WiringFacts& facts);

/// Sentences for the user: parts that were not driven, buttons without a pull-up.
std::vector<std::string> wiring_notices(const sim::WiringFacts& facts);

}  // namespace hocket::program
