// The program that a sketch becomes on the simulated board: what its parts share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arduino/hocket/FaultPolicy.h"
#include "ports/host/machine.h"
#include "simulation/machine/device_access.h"
#include "simulation/program/facts.h"

namespace hocket::sim {

/// What the sketch wants to happen after a fault.
OnFault fault_policy();

/// The devices of this run; null before and after it.
DeviceAccess* devices();

/// A fault as it is kept while the board runs.
struct FaultRecord {
  int loop;
  const char* kind;
  std::optional<std::uint64_t> address;
  std::optional<std::uint64_t> code;
  const char* text;
  std::optional<unsigned> pin = {};  // whose direct handler it was
};

/// Keeps a fault for the report and answers how many threads have stopped. Every core may call it:
/// it is not instrumented, so no other core can come between.
unsigned record_fault(const FaultRecord& fault);
/// The faults kept so far, in their order.
std::vector<program::Fault> recorded_faults();

/// What the sketch asked of interrupts that could not be done.
std::vector<std::string> complaints();
/// Who waits at the end of a run for a spinlock that somebody keeps, one sentence for each.
std::vector<std::string> kept_locks(const host::Machine& machine);
/// Loops whose sections between noInterrupts() and interrupts() were longer than is counted.
std::vector<std::string> long_sections(const host::Machine& machine);

/// What the kernel has counted of the loops by an instant.
std::vector<program::LoopCounts> loop_counts(Nanos now);
/// What the kernel and the machine know of the run. `machine` is null when nothing ran.
program::RunFacts gather_facts(const program::Options& options, bool accepted,
                               const host::Machine* machine);

}  // namespace hocket::sim
