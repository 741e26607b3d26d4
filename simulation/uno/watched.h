// A run of the Uno that people watch and touch, or that repeats one (simulation/live).
#pragma once

#include <csignal>

#include "simulation/live/session.h"
#include "simulation/uno/uno.h"

namespace hocket::uno {

class Watched {
 public:
  /// `stopping` is set when the run is to be ended from elsewhere. Throws UsageError when a touch
  /// cannot be made.
  Watched(const live::LiveOptions& options, const program::RunFacts& facts, Nanos duration,
          Uno& uno, const volatile std::sig_atomic_t& stopping);

  /// Before each step: looks, waits, touches.
  void before_step();
  /// The next step goes no further than this.
  Cycles step_end() const;
  /// When the run ends because somebody wants it to.
  Cycles end() const;
  void finish(Nanos now);

 private:
  Uno& uno_;
  live::Recorder recorder_;
  live::Session session_;
  Cycles look_at_ = 0;
};

}  // namespace hocket::uno
