// Touches as text: the commands that make them, and the file that keeps them
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

/// The touch that a command asks for, without its instant; nothing when it asks for none, and
/// `wrong` says why where it seems to be meant as one.
std::optional<Touch> touch_of(const Object& command, std::string& wrong);

/// One line, without its end.
std::string to_text(const Touch& touch);

/// The touches of a file, in order. Throws UsageError with the line. What they touch is not looked
/// at.
std::vector<Touch> read_touches(const std::string& file);

}  // namespace hocket::live
