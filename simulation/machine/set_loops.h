// Overrides declared budgets and periods for one run: `--loop 2:12400000:20000000`.
#pragma once

#include <string>
#include <vector>

#include "arduino/runtime/program.h"

namespace hocket::sim {

/// Nanoseconds; 0: as declared.
struct SetLoop {
  unsigned id = 0;
  uint64_t budget_ns = 0, period_ns = 0;
};

/// Parses the option's value. Throws UsageError.
SetLoop read_set_loop(const std::string& text);

/// Returns the program with those loops changed; its data lives until the end of the process. A
/// deadline that equals the period changes with it. Throws UsageError for a loop that does not
/// exist or cannot be changed so.
runtime::Program with_set_loops(runtime::Program program, const std::vector<SetLoop>& wanted);

}  // namespace hocket::sim
