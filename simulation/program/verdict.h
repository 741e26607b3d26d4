// How a run ended, as words of the report and as an exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/program/options.h"

namespace hocket::program {

class Console;

/// Closed: by the user of an interactive run.
enum class StopReason : uint8_t { Time, Expected, Failed, Asked, Fault, Closed };

/// One stopped thread.
struct Fault {
  int loop;  // -1: setup(), or a direct handler
  std::string kind;
  std::optional<std::uint64_t> address;  // the accessed address, if that is the fault
  std::optional<std::uint64_t> code;     // the instruction
  std::string text;
  std::optional<unsigned> pin = {};  // the pin of the direct handler
};

/// What happened during the run, besides the kernel's counts.
struct Happened {
  std::string end = "time";
  std::vector<Fault> faults;
  std::vector<std::string> notices;
  int status = kDone;
};

/// Fills in how the run ended. `in_setup`: setup() had not returned.
void judge(const Options& options, const Console& console, StopReason reason, bool in_setup,
           Happened& happened);

/// When the board's devices end: with the run; after a fault only when the bytes that were written
/// to the serial ports have been sent, because they may explain the fault.
Nanos end_of_board(const sim::Devices& board, StopReason reason, Nanos run_end);

}  // namespace hocket::program
