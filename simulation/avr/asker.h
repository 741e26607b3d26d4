// The part of a sketch that made a call, for the report.
#pragma once

#include "simulation/program/facts.h"

namespace hocket::avr {

using program::kHandlerAsks, program::kSetupAsks, program::name_of_asker;

}  // namespace hocket::avr
