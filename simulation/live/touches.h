// Touches as text: the commands that make them, and the file that stores them
// (docs/reference/lab-protocol.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/devices/touch.h"
#include "simulation/live/flat_json.h"
#include "simulation/program/options.h"

namespace hocket::live {

using sim::Nanos;
using sim::Touch;

/// The touch of a command, without its instant; nullopt if the command is not a touch. If it seems
/// to be meant as one, `wrong` says why it is not.
std::optional<Touch> touch_of(const Object& command, std::string& wrong);

/// One line, without its line end.
std::string to_text(const Touch& touch);

/// The touches of a file, in order. Throws UsageError with the line. Does not check whether their
/// targets exist.
std::vector<Touch> read_touches(const std::string& file);

}  // namespace hocket::live
