// A run on the simulated machine that people watch and touch, or that repeats one
// (simulation/live). Not instrumented.
#pragma once

#include <optional>

#include "ports/host/machine.h"
#include "simulation/live/session.h"
#include "simulation/program/console.h"

namespace hocket::sim {

class Watched final : public host::Outside, public DeviceSink {
 public:
  /// Serial's bytes go on to `console`. Before the devices, which it hears.
  Watched(const live::LiveOptions& options, const program::RunFacts& facts,
          program::Console& console);

  /// Throws UsageError when a touch cannot be made.
  void connect(host::Machine& machine, Devices& devices, const program::RunFacts& facts,
               Nanos duration);
  /// The devices have come to their end.
  void finish(Nanos now);
  /// The run was ended by a touch, at this instant.
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
