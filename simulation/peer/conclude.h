// The end of a session: the devices are brought to it, and everybody's facts are put together.
#pragma once

#include "simulation/peer/session.h"
#include "simulation/program/facts.h"

namespace hocket::world {

/// How the emulator was told to keep time.
enum class Timing : uint8_t { Counted, Free };  // instructions are counted; as fast as it goes

struct BoardInfo {
  const char* name;
  unsigned most_cores;
  bool all_cores_run;   // the emulated board always has all of them
  bool costs_measured;  // the kernel's declared costs: measured by tests, or only estimated
};

struct Conclusion {
  int status;
  std::optional<program::RunFacts> facts;  // none: the sketch cannot be used
};

/// Of a session that is over. Closes the wave file; the devices are of no more use then.
Conclusion conclude(const Session& session, const program::Options& options, const BoardInfo& board,
                    Timing timing, sim::Devices& devices, WorldConsole& console);

}  // namespace hocket::world
