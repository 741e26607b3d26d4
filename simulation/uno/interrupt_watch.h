// Which interrupts' handlers run, from when until when.
//
// A handler ends with its `reti`, or when it has switched to another thread: what is left of it
// runs when its thread does, as a part of that.
#pragma once

#include <array>
#include <vector>

#include "simulation/uno/event_log.h"

namespace hocket::uno {

class InterruptWatch {
 public:
  // Numbers of interrupts (data sheet, table 12-6; counted from 0).
  static constexpr unsigned kCount = 26;
  static constexpr unsigned kAlarm = 11, kReschedule = 12, kOverflow = 13;
  /// Of the handlers' budget, in images that have one (storm.h).
  static constexpr unsigned kRefill = 14;

  explicit InterruptWatch(EventLog& log) : log_(log) {}

  /// Tells the log what the numbers mean.
  void name_them();
  static const char* name(unsigned number);

  /// After each step. `thread`: who is interrupted.
  void update(const Mcu& mcu, uint16_t thread) {
    if (mcu.returned() && !running_.empty()) end(mcu.cycle(), thread);
    if (mcu.entered() != 0) begin(mcu, thread);
  }
  /// Another thread runs.
  void switched(Cycles now, uint16_t from) {
    while (!running_.empty()) end(now, from);
  }

  /// Whose handler runs; 0: none.
  unsigned running() const { return running_.empty() ? 0 : running_.back().number; }
  /// A handler that is not the kernel's: it must not let another thread run.
  bool runs_sketch() const { return running() != 0 && !of_kernel(running()); }
  uint64_t count(unsigned number) const { return count_[number]; }
  /// Cycles that handlers took, the kernel's own left out.
  Cycles handlers() const { return handlers_; }

 private:
  struct Running {
    unsigned number;
    Cycles since;
  };
  static bool of_kernel(unsigned number) { return number >= kAlarm && number <= kOverflow; }
  void begin(const Mcu& mcu, uint16_t thread);
  void end(Cycles now, uint16_t thread);

  EventLog& log_;
  std::vector<Running> running_;  // the innermost is the last
  std::array<uint64_t, kCount> count_{};
  Cycles handlers_ = 0;
};

}  // namespace hocket::uno
