// Collects the kernel's facts about its run for the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/devices/devices.h"
#include "simulation/peer/request.h"
#include "simulation/program/bounds.h"
#include "simulation/program/log_file.h"
#include "simulation/program/options.h"

namespace hocket::world {

using sim::Nanos;

/// The kernel's facts about the run.
struct KernelFacts {
  std::optional<RunFacts> run;
  std::vector<CoreFacts> cores;
  std::vector<LoopFacts> loops;
  std::vector<FaultFacts> faults;
  std::vector<InterruptFacts> interrupts;
  std::optional<BesideFacts> beside;
  std::optional<NoRoomFacts> no_room;
  std::optional<program::BoundFacts> bounds;
  std::vector<std::string> reasons, notices;
};

/// Rejects impossible facts: every fact must name existing cores, times within the run, and known
/// states, and the number of facts of each kind is limited (fact_keeper.cpp).
class FactKeeper {
 public:
  FactKeeper(const program::Options& options, program::LogFile& log)
      : options_(options), log_(log) {}

  /// For a request whose rule has the kind Report. Throws ProtocolError.
  void keep(const Request& request, Bytes payload);
  const KernelFacts& facts() const { return facts_; }

  /// How far the board's time may exceed the end of the run.
  static constexpr Nanos kGrace = 10'000'000'000;
  bool beyond_the_end(Nanos time) const {
    return time > options_.duration && time - options_.duration > kGrace;
  }

 private:
  void check_run(const RunFacts& run) const;
  void check_loop(const LoopFacts& loop) const;
  void keep_bounds(Operation operation, Bytes payload);
  void check_rank(const stated::Rank& rank) const;
  void check_beside(const BesideFacts& beside, Nanos now) const;
  static void check_interrupt(const InterruptFacts& interrupt);

  const program::Options& options_;
  program::LogFile& log_;
  KernelFacts facts_;
};

}  // namespace hocket::world
