// Watches in every run what occupies the core while calls are late
// (simulation/program/call_watch.h).
#pragma once

#include <vector>

#include "ports/host/machine.h"
#include "simulation/program/call_watch.h"

namespace hocket::sim {

/// Receives the kernel's events for as long as it exists.
class Calls {
 public:
  /// `release`: returns the release of a thread's present or next call. It is code of the simulated
  /// program, but costs it no time.
  Calls(const host::Machine& machine, const std::vector<program::CallWatch::Member>& loops,
        Nanos (*release)(uint16_t thread));
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// The run has ended: adds the results to the facts of its loops.
  void finish(Nanos now, std::vector<program::LoopFacts>& loops);

 private:
  program::CallWatch watch_;
};

}  // namespace hocket::sim
