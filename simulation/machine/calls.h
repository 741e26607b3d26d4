// What has the core while calls are late, watched in every run (simulation/program/call_watch.h).
#pragma once

#include <vector>

#include "ports/host/machine.h"
#include "simulation/program/call_watch.h"

namespace hocket::sim {

/// Hears of the kernel's events for as long as it lives.
class Calls {
 public:
  /// `release`: when the present or next call of a thread's loop is released. It is the simulated
  /// program's own code, and costs that no time.
  Calls(const host::Machine& machine, const std::vector<program::CallWatch::Member>& loops,
        Nanos (*release)(uint16_t thread));
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// The run has ended: adds what was found to the facts of its loops.
  void finish(Nanos now, std::vector<program::LoopFacts>& loops);

 private:
  program::CallWatch watch_;
};

}  // namespace hocket::sim
