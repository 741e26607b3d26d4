// Budgets and periods other than the sketch declares, for one run: `--loop 2:12400000:20000000`.
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

/// Reads an option's value. Throws UsageError.
SetLoop read_set_loop(const std::string& text);

/// The program with those loops changed; what it is made of lives until the end of the program. A
/// deadline that is the period goes with it. Throws UsageError for a loop that is not there or that
/// cannot be so.
runtime::Program with_set_loops(runtime::Program program, const std::vector<SetLoop>& wanted);

}  // namespace hocket::sim
