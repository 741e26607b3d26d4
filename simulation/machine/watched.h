// An interactive run on the simulated machine, or the repetition of one (simulation/live). Not
// instrumented.
#pragma once

#include <optional>

#include "ports/host/machine.h"
#include "simulation/live/session.h"
#include "simulation/program/console.h"

namespace hocket::sim {

class Watched final : public host::Outside, public DeviceSink {
 public:
  /// Passes Serial's bytes on to `console`. Must be constructed before the devices, whose sink it
  /// is.
  Watched(const live::LiveOptions& options, const program::RunFacts& facts,
          program::Console& console);

  /// Throws UsageError if a touch is impossible.
  void connect(host::Machine& machine, Devices& devices, const program::RunFacts& facts,
               Nanos duration);
  /// The devices have reached their end.
  void finish(Nanos now);
  /// Whether the run was ended by a touch at this instant.
  bool ended_at(Nanos instant) const { return session_ && session_->end() == instant; }

  Again look(Nanos soonest, Nanos next) override;
  Nanos next_touch() const override { return session_->next_touch(); }
  void touch(Nanos now) override { session_->touch(now); }

  void serial_out(Nanos when, unsigned port, uint8_t byte) override;

 private:
  const live::LiveOptions& options_;
  program::Console& console_;
  live::Recorder recorder_;
  host::Machine* machine_ = nullptr;
  std::optional<live::Session> session_;
  Nanos end_ = host::kNever;
};

}  // namespace hocket::sim
