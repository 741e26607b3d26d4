// The program that a sketch becomes on the simulated board: what its parts share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arduino/hocket/FaultPolicy.h"
#include "boards/sim/devices.h"
#include "ports/host/machine.h"

namespace hocket::sim {

/// The command line (docs/reference/sim-program.md).
struct Options {
  unsigned cores = 1;
  Nanos duration = 10'000'000'000;
  uint64_t seed = 1;
  std::string scenario_file;
  std::string facts_file;
  std::string log_file;
  std::string vcd_file;
  std::vector<std::string> expect_texts;
  std::vector<std::string> fail_texts;
  uint64_t serial_limit = 16 * 1024 * 1024;
  bool check_only = false;
};

/// Exit statuses of docs/reference/sim-program.md.
enum ExitStatus : int {
  kDone = 0,
  kFaulted = 1,
  kUsage = 2,
  kRefused = 3,
  kNotExpected = 42,
  kDefect = 70,
};

struct UsageError {
  std::string text;
};

/// Throws UsageError.
Options parse_options(int count, char** arguments);

/// One stopped thread.
struct Fault {
  int loop;  // -1: setup()
  std::string kind;
  std::optional<std::uint64_t> address;  // what was accessed, where that is the fault
  std::optional<std::uint64_t> code;     // where
  std::string text;
};

/// What happened while the sketch ran, beside what the kernel counts.
struct Happened {
  std::string end = "time";
  std::vector<Fault> faults;
  std::vector<std::string> notices;
  int status = kDone;
};

/// What the sketch wants to happen after a fault.
OnFault fault_policy();

/// The devices of this run; null before and after it.
Devices* devices();

/// A fault as it is kept while the board runs.
struct FaultRecord {
  int loop;
  const char* kind;
  std::optional<std::uint64_t> address;
  std::optional<std::uint64_t> code;
  const char* text;
};

/// Keeps a fault for the report and answers how many there are now. Every core may call it: it is
/// not instrumented, so no other core can come between.
unsigned record_fault(const FaultRecord& fault);
/// The faults kept so far, in their order.
std::vector<Fault> recorded_faults();

/// The report as far as the program knows it (docs/reference/sim-program.md), as JSON text.
/// `machine` is null when nothing ran; `board_end` is when the devices ended.
std::string facts_json(const Options& options, bool accepted, const Happened& happened,
                       const host::Machine* machine, Nanos board_end);

}  // namespace hocket::sim
