// The program that a sketch becomes on the simulated board: the interface between its parts.
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

/// The sketch's choice of what happens after a fault.
OnFault fault_policy();

/// The devices of this run; null before and after it.
DeviceAccess* devices();

/// A fault as stored while the board runs.
struct FaultRecord {
  int loop;
  const char* kind;
  std::optional<std::uint64_t> address;
  std::optional<std::uint64_t> code;
  const char* text;
  std::optional<unsigned> pin = {};  // the pin of the direct handler
};

/// Stores a fault for the report and returns how many threads have stopped. Any core may call it:
/// it is not instrumented, so no other core can come between.
unsigned record_fault(const FaultRecord& fault);
/// The faults stored so far, in order.
std::vector<program::Fault> recorded_faults();

/// Calls for memory that found none.
std::optional<program::NoRoomFacts> no_room();
/// Calls of the sketch about interrupts that could not be carried out.
std::vector<std::string> complaints();
/// Loops that wait at the end of a run for a spinlock that is never released; one sentence each.
std::vector<std::string> kept_locks(const host::Machine& machine);
/// Loops whose sections between noInterrupts() and interrupts() exceeded their bound.
std::vector<std::string> long_sections(const host::Machine& machine);

/// The kernel's counts for the loops at an instant.
std::vector<program::LoopCounts> loop_counts(Nanos now);
/// The facts of the run that the kernel and the machine know. `machine` is null if nothing ran.
program::RunFacts gather_facts(const program::Options& options, bool accepted,
                               const host::Machine* machine);

}  // namespace hocket::sim
