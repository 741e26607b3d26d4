// The command line of a program that runs a board (docs/reference/sim-program.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::program {

using sim::Nanos;

struct Options {
  unsigned cores = 1;
  Nanos duration = 10'000'000'000;
  uint64_t seed = 1;
  std::string scenario_file;
  std::string facts_file;
  std::string log_file;
  std::string vcd_file;
  std::string input_file;  // sent to Serial as soon as it is begun
  std::vector<std::string> expect_texts;
  std::vector<std::string> fail_texts;
  std::vector<std::string> note_texts;  // texts whose times are reported
  uint64_t serial_limit = 16 * 1024 * 1024;
  bool check_only = false;
  bool anyway = false;          // run loops that were refused, too
  std::string policy = "vcpu";  // of the kernel that runs; for the report
};

/// Exit statuses of docs/reference/sim-program.md.
enum ExitStatus : int {
  kDone = 0,
  kFaulted = 1,
  kUsage = 2,
  kRefused = 3,
  kNotExpected = 42,
  kDefect = 70,
  kInterrupted = 130,
};

/// An error that the caller can correct: one sentence.
struct UsageError {
  std::string text;
};

/// An additional option of one program.
struct FurtherOption {
  const char* name;
  bool takes_value;
  std::function<void(const char* value)> take;  // null for an option without a value
};

/// Parses the common options and the `further` ones. Throws UsageError.
Options parse_options(int count, char** arguments, unsigned most_cores,
                      const std::vector<FurtherOption>& further = {});

/// The device options. Throws UsageError.
sim::DeviceOptions device_options(const Options& options);
/// The content of a file. Throws UsageError, which names it as `what`.
std::string read_file(const std::string& name, const char* what);
/// Writes the facts to the file in the options, if there is one. Throws UsageError.
void write_facts(const Options& options, const std::string& facts);

}  // namespace hocket::program
