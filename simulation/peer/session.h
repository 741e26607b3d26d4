// The world's side of the protocol, without pipes: each request gets its answer (protocol.h).
//
// Invariants: a request that breaks the rules has no effect. The devices only advance in time, and
// never further than the end of the run plus FactKeeper::kGrace.
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

/// The answer to a request.
struct Answer {
  Reply reply{};
  std::vector<uint8_t> payload;  // of the reply
};

class Session {
 public:
  /// The board must report at least this often, so that output can be shown and the run can be
  /// ended.
  static constexpr Nanos kLookEvery = 100'000'000;

  Session(const program::Options& options, sim::Devices& devices, WorldConsole& console,
          program::LogFile& log)
      : options_(options),
        devices_(devices),
        console_(console),
        log_(log),
        calls_(devices),
        kept_(options, log) {}

  /// Throws ProtocolError; the session cannot be used afterwards.
  Answer handle(const Request& request, Bytes payload);
  /// Makes the next answer ask the kernel to end the run.
  void ask_to_stop() { asked_ = true; }

  bool begun() const { return begun_; }
  bool over() const { return end_.has_value(); }
  /// For a session that is over: why the kernel ended the run, the facts for the report, and the
  /// time that the devices have reached.
  End end() const { return *end_; }
  program::StopReason reason() const;
  const KernelFacts& facts() const { return kept_.facts(); }
  Nanos reached() const { return reached_; }
  /// Edges of a pin while the kernel watched it.
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
