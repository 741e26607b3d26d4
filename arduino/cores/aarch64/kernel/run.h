// A run from its start to its end. How long it lasts, and who is told, is for what is around the
// board (surroundings.h).
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

/// How many cores answered at boot, the first one included.
void set_cores(unsigned cores);

/// Everything stops; what is known is told. Any core, no lock held.
[[noreturn]] void finish(End why);

/// Admission said no, or was all that was asked for. Core 0, before anything runs.
[[noreturn]] void answer(bool accepted);

}  // namespace hocket::run
