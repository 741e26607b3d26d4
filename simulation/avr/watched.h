// An interactive run of a board, or the repetition of one (simulation/live).
#pragma once

#include <csignal>

#include "simulation/avr/board.h"
#include "simulation/live/session.h"

namespace hocket::avr {

class Watched {
 public:
  /// `stopping` is set when the run must end for another reason. Throws UsageError if a touch is
  /// impossible.
  Watched(const live::LiveOptions& options, const program::RunFacts& facts, Nanos duration,
          Board& board, const volatile std::sig_atomic_t& stopping);

  /// Call before each step: looks, waits, touches.
  void before_step();
  /// The next step must not go beyond this cycle.
  Cycles step_end() const;
  /// When a user ends the run.
  Cycles end() const;
  void finish(Nanos now);

 private:
  Board& board_;
  live::Recorder recorder_;
  live::Session session_;
  Cycles look_at_ = 0;
};

}  // namespace hocket::avr
