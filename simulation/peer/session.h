// The world's side of the protocol, without pipes: each request gets its answer (protocol.h).
//
// Invariants: nothing is done for a request that breaks the rules; the devices are only ever moved
// forward in time, and never further than the end of the run and a little (kGrace).
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/peer/protocol.h"
#include "simulation/program/console.h"
#include "simulation/program/log_file.h"

namespace hocket::world {

using sim::Nanos;
using Bytes = std::span<const uint8_t>;

/// The kernel sent what it must not: a sentence that says what.
struct ProtocolError {
  std::string text;
};

using WorldConsole = program::Console;

/// What the kernel said about the run.
struct KernelFacts {
  std::optional<RunFacts> run;
  std::vector<CoreFacts> cores;
  std::vector<LoopFacts> loops;
  std::vector<FaultFacts> faults;
  std::vector<InterruptFacts> interrupts;
  std::optional<BesideFacts> beside;
  std::vector<std::string> reasons, notices;
};

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
  /// How far behind the end of the run the board's time may come.
  static constexpr Nanos kGrace = 10'000'000'000;

  Session(const program::Options& options, sim::Devices& devices, WorldConsole& console,
          program::LogFile& log)
      : options_(options), devices_(devices), console_(console), log_(log) {}

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
  const KernelFacts& facts() const { return facts_; }
  Nanos reached() const { return reached_; }
  /// Edges that a pin has had while the kernel watched it for them.
  uint64_t edges_seen(unsigned pin) const { return pin < kMostPins ? edges_seen_[pin] : 0; }

 private:
  struct Rule;
  static const Rule& rule(const Request& request);

  void check(const Request& request, const Rule& rule, Bytes payload) const;
  int64_t pin(const Request& request);
  bool watch(Nanos now, uint32_t pin, uint32_t mode);
  int64_t serial(const Request& request, Bytes payload);
  int64_t bus(const Request& request, Bytes payload, std::vector<uint8_t>& answer);
  int64_t i2c(const Request& request, Bytes payload, std::vector<uint8_t>& answer);
  int64_t spi(const Request& request, Bytes payload, std::vector<uint8_t>& answer);
  void keep(const Request& request, Bytes payload);
  void check_run(const RunFacts& run) const;
  void check_loop(const LoopFacts& loop) const;
  static void check_interrupt(const InterruptFacts& interrupt);
  void check_beside(const BesideFacts& beside) const;
  Settings hello(const Request& request);
  void goodbye(const Request& request);
  Reply reply(const Request& request, int64_t value);
  void tell_edges(Reply& reply);
  Nanos look_at(Nanos now) const;

  const program::Options& options_;
  sim::Devices& devices_;
  WorldConsole& console_;
  program::LogFile& log_;
  bool begun_ = false;
  bool asked_ = false;
  std::optional<End> end_;
  Nanos time_ = 0;     // of the last request
  Nanos reached_ = 0;  // by the devices
  KernelFacts facts_;
  std::bitset<kMostPins> watched_;                // for edges
  std::array<uint64_t, kMostPins> edges_seen_{};  // while they were
};

/// Cuts a stream of bytes into requests.
class RequestReader {
 public:
  void add(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// The next whole request and its payload; false when more bytes are needed. Throws
  /// ProtocolError.
  bool next(Request& request, std::vector<uint8_t>& payload);
  /// Bytes of a request that is not complete.
  size_t left() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace hocket::world
