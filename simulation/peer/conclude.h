// The end of a session: advances the devices to it, and combines all facts.
#pragma once

#include "simulation/peer/session.h"
#include "simulation/program/facts.h"

namespace hocket::world {

/// How the emulator keeps time.
enum class Timing : uint8_t { Counted, Free };  // instructions are counted; free-running

/// What a board's description says of it (boards/keys.txt); the command line passes it on.
struct BoardInfo {
  std::string name;
  /// Words of QEMU's command line that make the machine. Three of them are filled in: {more}, what
  /// the machine has in this run besides; {cores} and {memory}. Without {cores} all cores of the
  /// machine always run.
  std::string qemu;
  unsigned memory = 128;         // MiB of the machine, unless another system is beside the kernel
  bool costs_estimated = false;  // the kernel's declared costs: no test measures them

  bool has(const char* place) const { return qemu.find(place) != std::string::npos; }
  bool all_cores_run() const { return !has("{cores}"); }
};

struct Conclusion {
  int status;
  std::optional<program::RunFacts> facts;  // nullopt: the sketch cannot be used
};

/// For a session that is over. Closes the wave file; the devices cannot be used afterwards.
Conclusion conclude(const Session& session, const program::Options& options, const BoardInfo& board,
                    Timing timing, sim::Devices& devices, WorldConsole& console);

}  // namespace hocket::world
