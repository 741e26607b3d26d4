// The world's side of the protocol, without pipes: each request gets its answer (protocol.h).
//
// Invariants: nothing is done for a request that breaks the rules; the devices are only ever moved
// forward in time, and never further than the end of the run and a little (FactKeeper::kGrace).
#pragma once

#include <optional>
#include <vector>

#include "simulation/peer/device_calls.h"
#include "simulation/peer/fact_keeper.h"
#include "simulation/peer/request.h"
#include "simulation/program/console.h"
#include "simulation/program/log_file.h"

namespace hocket::world {

using WorldConsole = program::Console;

/// What goes back to the kernel.
struct Answer {
  Reply reply{};
  std::vector<uint8_t> payload;  // of the reply
};

class Session {
 public:
  /// The world wants to hear of the board this often at least, to show what was sent and to be able
  /// to end the run.
  static constexpr Nanos kLookEvery = 100'000'000;

  Session(const program::Options& options, sim::Devices& devices, WorldConsole& console,
          program::LogFile& log)
      : options_(options),
        devices_(devices),
        console_(console),
        log_(log),
        calls_(devices),
        kept_(options, log) {}

  /// Throws ProtocolError; the session is of no more use then.
  Answer handle(const Request& request, Bytes payload);
  /// The next answer asks the kernel to end the run.
  void ask_to_stop() { asked_ = true; }

  bool begun() const { return begun_; }
  bool over() const { return end_.has_value(); }
  /// Of a session that is over: why the kernel ended the run, what follows for the report, what it
  /// said, and the time that the devices have reached.
  End end() const { return *end_; }
  program::StopReason reason() const;
  const KernelFacts& facts() const { return kept_.facts(); }
  Nanos reached() const { return reached_; }
  /// Edges that a pin has had while the kernel watched it for them.
  uint64_t edges_seen(unsigned pin) const { return calls_.edges_seen(pin); }

 private:
  void check(const Request& request, const Rule& rule, Bytes payload) const;
  Settings hello(const Request& request);
  void goodbye(const Request& request);
  Reply reply(const Request& request, int64_t value);
  Nanos look_at(Nanos now) const;

  const program::Options& options_;
  sim::Devices& devices_;
  WorldConsole& console_;
  program::LogFile& log_;
  DeviceCalls calls_;
  FactKeeper kept_;
  bool begun_ = false;
  bool asked_ = false;
  std::optional<End> end_;
  Nanos time_ = 0;     // of the last request
  Nanos reached_ = 0;  // by the devices
};

}  // namespace hocket::world
