// The end of a session: advances the devices to it, and combines all facts.
#pragma once

#include "simulation/peer/session.h"
#include "simulation/program/facts.h"

namespace hocket::world {

/// How the emulator keeps time.
enum class Timing : uint8_t { Counted, Free };  // instructions are counted; free-running

struct BoardInfo {
  const char* name;
  unsigned most_cores;
  bool all_cores_run;   // the emulated board always runs all of its cores
  bool costs_measured;  // the kernel's declared costs are measured by tests, and not only estimated
};

struct Conclusion {
  int status;
  std::optional<program::RunFacts> facts;  // nullopt: the sketch cannot be used
};

/// For a session that is over. Closes the wave file; the devices cannot be used afterwards.
Conclusion conclude(const Session& session, const program::Options& options, const BoardInfo& board,
                    Timing timing, sim::Devices& devices, WorldConsole& console);

}  // namespace hocket::world
