// How a run ended, in the report's words and as an exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/program/options.h"

namespace hocket::program {

class Console;

/// Closed: by who touched the board.
enum class StopReason : uint8_t { Time, Expected, Failed, Asked, Fault, Closed };

/// One stopped thread.
struct Fault {
  int loop;  // -1: setup(), or a direct handler
  std::string kind;
  std::optional<std::uint64_t> address;  // what was accessed, where that is the fault
  std::optional<std::uint64_t> code;     // where
  std::string text;
  std::optional<unsigned> pin = {};  // whose direct handler it was
};

/// What happened while the sketch ran, beside what the kernel counts.
struct Happened {
  std::string end = "time";
  std::vector<Fault> faults;
  std::vector<std::string> notices;
  int status = kDone;
};

/// Fills in how the run ended. `in_setup`: setup() had not returned.
void judge(const Options& options, const Console& console, StopReason reason, bool in_setup,
           Happened& happened);

/// When the board's devices end: with the run, but after a fault only when what was written to the
/// serial ports has left, since it may tell what happened.
Nanos end_of_board(const sim::Devices& board, StopReason reason, Nanos run_end);

}  // namespace hocket::program
