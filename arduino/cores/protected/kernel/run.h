// A run from its start to its end. The board's surroundings decide how long it lasts and who gets
// the report (surroundings.h).
#pragma once

#include "kernel/base/types.h"

namespace hocket::run {

/// Why a run ended.
enum class End : uint32_t {
  Time = 0,
  Stopped = 1,
  Fault = 2,
  Refused = 3,
  Check = 4,
  Unusable = 5
};

/// Sets how many cores answered at boot, including the first one.
void set_cores(unsigned cores);

/// Stops everything and sends the report. Any core, no lock held.
[[noreturn]] void finish(End why);

/// Admission refused the sketch, or nothing but admission was requested. On core 0, before anything
/// runs.
[[noreturn]] void answer(bool accepted);

}  // namespace hocket::run
