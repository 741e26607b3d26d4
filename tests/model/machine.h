// One core, its threads and its kernel's time: runs a workload under an engine and counts what was
// really done.
//
// The kernel's segments have true lengths that the engine does not see; it sees the readings of the
// clock. Useful ticks are those in which a thread's own instructions ran, its calls' tails
// included.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core_engine.h"
#include "workload.h"

namespace hocket::test {

struct Job {
  Ticks release = 0;      ///< of an I/O virtual CPU's, the edge
  Ticks finish = kNever;  ///< the reading of the call that ends it
  Ticks began = kNever;   ///< its first instruction
  bool woken = false;     ///< its thread was waiting, and was woken for it
};

/// Who had the core, or caused what the kernel did with it.
struct Stretch {
  int server = kIdleCore;
  Ticks from = 0;
  Ticks to = 0;
};

struct Outcome {
  std::vector<std::vector<Job>> jobs;        ///< [server]
  std::vector<std::vector<Stretch>> useful;  ///< [server]
  std::vector<std::vector<Stretch>> caused;  ///< [server] useful ones and the kernel's
  std::vector<std::vector<Stretch>> holds;   ///< [server] from a lock's taking to its release
  std::vector<std::string> log;              ///< when asked for
  std::vector<Ticks> ready_since;            ///< [server] first wake
  std::vector<Ticks> spins_since;            ///< [server] when a napping one begins to spin
  long fruitless = 0;                        ///< interrupts that changed nothing
  bool stuck = false;
};

Outcome run_machine(const Workload& set, CoreEngine& engine, bool log = false);

}  // namespace hocket::test
